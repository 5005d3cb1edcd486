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
#include "memory/allocation.inline.hpp"
#include "oops/typeArrayOop.inline.hpp"
#include "runtime/handles.inline.hpp"

size_t H2Critical::data_bytes(typeArrayOop array) {
  return (size_t)array->length() << TypeArrayKlass::cast(array->klass())->log2_element_size();
}

bool H2Critical::is_copied(typeArrayHandle array) {
  if (!H2Heap::contains(array()) || !H2Heap::backend()->serves_callers()) {
    return false;
  }
  H2Faults::use_handlers();
  return H2Heap::backend()->serves_callers();
}

void* H2Critical::copy(typeArrayOop array) {
  const size_t bytes = data_bytes(array);
  char* const copy = NEW_C_HEAP_ARRAY_RETURN_NULL(char, MAX2(bytes, (size_t)1), mtGC);
  if (copy != nullptr) {
    memcpy(copy, array->base(TypeArrayKlass::cast(array->klass())->element_type()), bytes);
  }
  return copy;
}

bool H2Critical::release(typeArrayOop array, void* address, jint mode) {
  void* const base = array->base(TypeArrayKlass::cast(array->klass())->element_type());
  if (address == base) {
    return false;
  }
  if (mode != JNI_ABORT) {
    memcpy(base, address, data_bytes(array));
  }
  if (mode != JNI_COMMIT) {
    FREE_C_HEAP_ARRAY(char, address);
  }
  return true;
}
