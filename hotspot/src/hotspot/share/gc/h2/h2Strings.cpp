/*
 * Copyright (c) 2026, the ZTera authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation. The ZTera authors designate
 * this particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

#include "classfile/javaClasses.inline.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Strings.hpp"

// A value of more bytes is hardly anybody's key, and gets no hash.
static const int LongestHashed = 1024;

H2WeakRoots* H2Strings::_shared_values = nullptr;

void H2Strings::initialize() {
  _shared_values = new H2WeakRoots("H2Strings_lock");
}

bool H2Strings::is_in_h2(oop string) {
  return H2Heap::is_enabled() && H2Heap::contains(string);
}

bool H2Strings::may_share(oop string, typeArrayOop value) {
  if (!H2Heap::is_enabled()) {
    return true;
  }
  assert(!H2Heap::contains(string), "left out before");
  if (H2Heap::contains(value)) {
    return false;
  }
  _shared_values->add(value, 0);
  return true;
}

void H2Strings::keep_hash(oop string) {
  const typeArrayOop value = java_lang_String::value(string);
  // A string in H2 may not be in memory.
  if (value != nullptr && !H2Heap::contains(value) && value->length() <= LongestHashed) {
    java_lang_String::hash_code(string);
  }
}
