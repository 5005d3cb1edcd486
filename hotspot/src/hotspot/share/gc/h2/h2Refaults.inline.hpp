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

#ifndef SHARE_GC_H2_H2REFAULTS_INLINE_HPP
#define SHARE_GC_H2_H2REFAULTS_INLINE_HPP

#include "gc/h2/h2Refaults.hpp"

#include "gc/h2/h2Heap.hpp"

template <typename Function>
inline void H2Refaults::each(Function f) {
  for (size_t i = 0; _slots != nullptr && i < Sets * Ways; i++) {
    const uint64_t slot = Atomic::load(&_slots[i]);
    if (H2RefaultSlot::count(slot) > 1) {
      f(H2Heap::start() + H2RefaultSlot::word(slot), H2RefaultSlot::count(slot));
    }
  }
}

#endif // SHARE_GC_H2_H2REFAULTS_INLINE_HPP
