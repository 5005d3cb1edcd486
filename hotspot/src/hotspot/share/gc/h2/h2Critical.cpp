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

#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Critical.hpp"
#include "gc/h2/h2Faults.hpp"
#include "gc/h2/h2Heap.hpp"
#include "oops/arrayOop.hpp"
#include "oops/oop.inline.hpp"
#include "oops/typeArrayKlass.hpp"
#include "runtime/jniHandles.inline.hpp"

// Where handlers serve, or H2 is a mapped file, system calls fault like instructions.
static bool has_pins() {
  return H2Heap::is_enabled() && H2Heap::backend()->serves_callers();
}

static size_t place_of(const void* address) {
  return pointer_delta(address, H2Heap::start(), 1);
}

static BasicType type_of(oop array) {
  return TypeArrayKlass::cast(array->klass())->element_type();
}

void H2Critical::begin(oop array) {
  if (!H2Heap::contains(array) || !has_pins()) {
    return;
  }
  const BasicType type = type_of(array);
  const size_t elements = (size_t)arrayOop(array)->length() * type2aelembytes(type);
  const size_t bytes = arrayOopDesc::base_offset_in_bytes(type) + elements;
  if (!H2Heap::backend()->pin(place_of(cast_from_oop<void*>(array)), bytes)) {
    H2Faults::use_handlers();
  }
}

// False where nothing is pinned. The array need not be one.
static bool unpin(const void* array) {
  return H2Heap::contains(array) && H2Heap::backend()->unpin(place_of(array));
}

static bool unpin_elements(const void* elements, BasicType type) {
  return unpin((const char*)elements - arrayOopDesc::base_offset_in_bytes(type));
}

void H2Critical::end(jarray array, const void* elements) {
  if (has_pins()) {
    const oop obj = JNIHandles::resolve_non_null(array);
    if (!unpin(cast_from_oop<void*>(obj))) {
      unpin_elements(elements, type_of(obj));
    }
  }
}

void H2Critical::end(const jchar* chars) {
  if (has_pins()) {
    unpin_elements(chars, T_CHAR);
  }
}

void H2Critical::end_all() {
  if (has_pins()) {
    H2Heap::backend()->unpin_all();
  }
}
