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

#ifndef SHARE_GC_H2_H2MARKING_INLINE_HPP
#define SHARE_GC_H2_H2MARKING_INLINE_HPP

#include "gc/h2/h2Crossings.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2HotObjects.hpp"
#include "gc/h2/h2Liveness.inline.hpp"
#include "gc/h2/h2Marking.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Returner.inline.hpp"

template <typename T, typename Worker>
inline bool H2Marking::fence(T* p, oop* obj, H2Crossings* crossings, Worker* worker) {
  if (!H2Heap::contains(*obj)) {
    return false;
  }
  if (H2Returner::redirect(p, obj)) {
    if (H2Heap::contains((void*)p)) {
      H2HotObjects::refer_back(p);
    }
    return false;
  }
  if (H2Liveness::is_looking()) {
    H2Liveness::reach(p, *obj, worker);
  }
  if (!H2Heap::contains((void*)p)) {
    crossings->add_strong(cast_from_oop<void*>(*obj));
  }
  mark_region(H2Heap::regions()->head_index(*obj));
  return true;
}

#endif // SHARE_GC_H2_H2MARKING_INLINE_HPP
