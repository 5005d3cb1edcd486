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

#ifndef SHARE_GC_H2_H2OBJECTBITS_INLINE_HPP
#define SHARE_GC_H2_H2OBJECTBITS_INLINE_HPP

#include "gc/h2/h2ObjectBits.hpp"
#include "utilities/bitMap.inline.hpp"

inline bool H2ObjectBits::par_set(oop obj) {
  return _bits.par_set_bit(index(cast_from_oop<HeapWord*>(obj)));
}

inline bool H2ObjectBits::contains(oop obj) const {
  return _bits.par_at(index(cast_from_oop<HeapWord*>(obj)));
}

inline size_t H2ObjectBits::count(MemRegion part) const {
  return _bits.count_one_bits(index(part.start()), index(part.end()));
}

inline bool H2ObjectBits::any(MemRegion part) const {
  const BitMap::idx_t end = index(part.end());
  return _bits.find_first_set_bit(index(part.start()), end) < end;
}

template <typename Function>
inline void H2ObjectBits::iterate(MemRegion part, Function f) const {
  const auto visit = [&](BitMap::idx_t i) { f(cast_to_oop(_covered.start() + (i << LogMinObjAlignment))); };
  _bits.iterate(visit, index(part.start()), index(part.end()));
}

#endif // SHARE_GC_H2_H2OBJECTBITS_INLINE_HPP
