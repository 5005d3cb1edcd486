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

#ifndef SHARE_GC_H2_H2REGIONCLAIMER_INLINE_HPP
#define SHARE_GC_H2_H2REGIONCLAIMER_INLINE_HPP

#include "gc/h2/h2RegionClaimer.hpp"

#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "runtime/atomic.hpp"

template <typename Function>
inline void H2RegionClaimer::each(Function f) {
  H2RegionTable* const regions = H2Heap::regions();
  const uint limit = regions->limit();
  uint from;
  while ((from = Atomic::fetch_then_add(&_next, Stride)) < limit) {
    const uint end = MIN2(from + Stride, limit);
    for (uint i = from; i < end; i++) {
      if (regions->at(i)->is_in_use()) {
        f(regions->at(i));
      }
    }
  }
}

#endif // SHARE_GC_H2_H2REGIONCLAIMER_INLINE_HPP
