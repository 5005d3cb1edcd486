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

#ifndef SHARE_GC_H2_H2REGIONTABLE_INLINE_HPP
#define SHARE_GC_H2_H2REGIONTABLE_INLINE_HPP

#include "gc/h2/h2RegionTable.hpp"

inline uint H2RegionTable::index(const void* p) const {
  return (uint)(pointer_delta(p, _range.start(), 1) >> _shift);
}

inline uint H2RegionTable::head_index(const void* p) const {
  assert(_range.contains(p), "not in H2: " PTR_FORMAT, p2i(p));
  return _regions[index(p)].head();
}

inline uint H2RegionTable::head_index(oop obj) const {
  return head_index(cast_from_oop<const void*>(obj));
}

inline H2Region* H2RegionTable::head(const void* p) const {
  return &_regions[head_index(p)];
}

inline bool H2RegionTable::is_allocated(const HeapWord* p) const {
  const uint i = index(p);
  if (i >= _limit || _regions[i].is_free()) {
    return false;
  }
  return p < _regions[_regions[i].head()].top();
}

#endif // SHARE_GC_H2_H2REGIONTABLE_INLINE_HPP
