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

#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Reached.hpp"

H2ObjectBits H2Reached::_bits;

bool H2Reached::initialize() {
  return _bits.initialize(H2Heap::range());
}

void H2Reached::clear() {
  _bits.clear_all();
}
