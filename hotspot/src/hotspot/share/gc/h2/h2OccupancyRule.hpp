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


#ifndef SHARE_GC_H2_H2OCCUPANCYRULE_HPP
#define SHARE_GC_H2_H2OCCUPANCYRULE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>
#include <stdint.h>

// The state of H1 in a full GC that may move something unasked. Sizes are bytes.
struct H2OccupancySnapshot {
  size_t   _old_max;
  size_t   _live;       // in H1
  size_t   _promoted;   // since the last full GC
  uint32_t _threshold;  // H2MoveThreshold
  bool     _is_needed;  // an allocation has found no room
};

// Decides whether a full GC moves anything unasked.
class H2OccupancyRule {
  // Of the old generation: a full GC that comes again before so little was promoted was worth little.
  static const size_t Soon = 16;
  static const uint32_t ThresholdSoon = 60;

 public:
  static bool is_occupied(const H2OccupancySnapshot& s) {
    const bool is_soon = s._is_needed && s._promoted < s._old_max / Soon;
    const uint32_t threshold = is_soon && ThresholdSoon < s._threshold ? ThresholdSoon : s._threshold;
    return s._live > s._old_max / 100 * threshold;
  }
};

#endif // SHARE_GC_H2_H2OCCUPANCYRULE_HPP
