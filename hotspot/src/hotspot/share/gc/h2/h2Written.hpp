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


#ifndef SHARE_GC_H2_H2WRITTEN_HPP
#define SHARE_GC_H2_H2WRITTEN_HPP

#include "memory/allStatic.hpp"
#include "memory/memRegion.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/bitMap.hpp"

// The objects of the old generation into which the program has written references since the last
// full GC: those on cards that a GC has found dirty. In H2 each write would read a page, and
// cost it its compressed object.
//
// Only of objects that have survived that GC, as others have no place that a card could stand
// for. Numbers that are written leave no trace.
class H2Written : AllStatic {
  static MemRegion    _covered;     // empty: nothing is known
  static CHeapBitMap* _cards;       // of _covered
  static bool         _is_blurred;  // the full GC has left all cards dirty, for the next GC to find out

  static inline size_t index(const void* p);

 public:
  // At the end of a full GC: begins anew. This has survived it.
  static void begin(MemRegion survivors, bool is_young_empty);
  // At the begin of any GC, before it cleans cards.
  static void note();

  // In a full GC, before objects slide.
  static inline bool contains(oop obj, bool is_array, size_t words);
};

#endif // SHARE_GC_H2_H2WRITTEN_HPP
