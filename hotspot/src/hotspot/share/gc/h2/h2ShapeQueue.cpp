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

#include "gc/h2/h2ShapeQueue.hpp"
#include "runtime/atomic.hpp"

bool H2ShapeQueue::take(size_t from, size_t to, size_t* chunk) {
  for (size_t i = _waiting.find_first_set_bit(from, to); i < to; i = _waiting.find_first_set_bit(i + 1, to)) {
    if (_waiting.par_clear_bit(i)) {
      Atomic::store(&_next, i + 1);
      *chunk = i;
      return true;
    }
  }
  return false;
}

bool H2ShapeQueue::take(size_t* chunk) {
  const size_t next = Atomic::load(&_next);
  return take(next, _waiting.size(), chunk) || take(0, next, chunk);
}
