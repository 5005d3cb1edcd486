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


#ifndef SHARE_GC_H2_H2WRITTEN_INLINE_HPP
#define SHARE_GC_H2_H2WRITTEN_INLINE_HPP

#include "gc/h2/h2Written.hpp"

#include "gc/shared/cardTable.hpp"
#include "utilities/bitMap.inline.hpp"

inline size_t H2Written::index(const void* p) {
  return pointer_delta(p, _covered.start(), 1) >> CardTable::card_shift();
}

// The barrier dirties the card of an instance's header, and those of an array's elements.
inline bool H2Written::contains(oop obj, bool is_array, size_t words) {
  HeapWord* const p = cast_from_oop<HeapWord*>(obj);
  if (!_covered.contains(p)) {
    return false;
  }
  const size_t first = index(p);
  if (!is_array) {
    return _cards->at(first);
  }
  const size_t end = MIN2(index(p + words - 1) + 1, _cards->size());
  return _cards->find_first_set_bit(first, end) < end;
}

#endif // SHARE_GC_H2_H2WRITTEN_INLINE_HPP
