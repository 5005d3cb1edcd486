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

#include "gc/h2/h2ByteBuffer.hpp"
#include "gc/shared/gc_globals.hpp"
#include "runtime/atomic.hpp"
#include "runtime/os.hpp"

void H2ByteBuffer::grow(size_t least) {
  _capacity = MAX2(least, 2 * _capacity + 1024);
  _data = REALLOC_C_HEAP_ARRAY(uint8_t, _data, _capacity, mtGC);
}

bool H2ByteBuffer::try_grow(size_t least) {
  static volatile uint asked = 0;
  if (H2Stress && Atomic::fetch_then_add(&asked, 1u) % 8 == 0) {
    return false;
  }
  const size_t capacity = MAX2(least, 2 * _capacity + 1024);
  uint8_t* const data = (uint8_t*)os::realloc(_data, capacity, mtGC);
  if (data == nullptr) {
    return false;
  }
  _data = data;
  _capacity = capacity;
  return true;
}
