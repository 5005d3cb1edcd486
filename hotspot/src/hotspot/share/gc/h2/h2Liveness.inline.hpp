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

#ifndef SHARE_GC_H2_H2LIVENESS_INLINE_HPP
#define SHARE_GC_H2_H2LIVENESS_INLINE_HPP

#include "gc/h2/h2Liveness.hpp"

#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Reached.inline.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2ShapeMarking.inline.hpp"

template <typename T, typename Worker>
inline void H2Liveness::reach(T* p, oop obj, Worker* worker) {
  if (H2Heap::contains((void*)p)) {
    H2RegionTable* const regions = H2Heap::regions();
    regions->head(p)->refer_to(regions->head_index(obj));
  }
  if (H2Reached::add(obj)) {
    H2ShapeMarking::push(obj, worker);
  }
}

#endif // SHARE_GC_H2_H2LIVENESS_INLINE_HPP
