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

#ifndef SHARE_GC_H2_H2RETURNER_INLINE_HPP
#define SHARE_GC_H2_H2RETURNER_INLINE_HPP

#include "gc/h2/h2Returner.hpp"

#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2HotObjects.inline.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "oops/access.inline.hpp"

inline oop H2Returner::copy_of(oop obj) {
  HeapWord* const p = cast_from_oop<HeapWord*>(obj);
  const H2Region* const region = H2Heap::regions()->head(p);
  return region->is_returning() ? cast_to_oop(region->copy() + pointer_delta(p, region->bottom())) : H2HotObjects::copy_of(obj);
}

template <typename T>
inline bool H2Returner::redirect(T* p, oop* obj) {
  const oop copy = copy_of(*obj);
  if (copy == nullptr) {
    return false;
  }
  RawAccess<IS_NOT_NULL>::oop_store(p, copy);
  *obj = copy;
  return true;
}

#endif // SHARE_GC_H2_H2RETURNER_INLINE_HPP
