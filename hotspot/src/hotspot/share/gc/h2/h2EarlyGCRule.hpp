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


#ifndef SHARE_GC_H2_H2EARLYGCRULE_HPP
#define SHARE_GC_H2_H2EARLYGCRULE_HPP

#include <stddef.h>

// Bytes, seconds, and the memory that a byte takes once it is compressed (0 while nothing is).
struct H2EarlyGCSnapshot {
  double _cost;
  size_t _h2_used;
  size_t _old_used;
  size_t _old_max;
  size_t _promoted;       // since the last full GC
  size_t _h2_least;       // what H2 needs in any case
  size_t _h2_may_have;
  size_t _overdrawn;      // by how much the process will exceed the memory limit
  size_t _on_ssd;         // space there
  double _waited;         // for reads of the SSD, since the last full GC
  double _gc_takes;
};

// Whether a full GC comes before H1 is full (see H2Director). Names nothing of HotSpot, so that it can be tried by itself.
class H2EarlyGCRule {
  // Between two full GCs at least this part of the old generation is promoted, so that they pay where nothing can move.
  static const size_t LeastPart = 8;

 public:
  // Bytes that H2 needs once all of H2 and the old generation is compressed, and some more, as ratios differ and a pool has gaps.
  static size_t needed_bytes(const H2EarlyGCSnapshot& s) {
    const size_t bytes = s._h2_used + s._old_used;
    return (size_t)(s._cost * (double)(bytes + bytes / 16)) + s._h2_least;
  }

  static bool has_promoted(const H2EarlyGCSnapshot& s) { return s._promoted >= s._old_max / LeastPart; }

  // Without an SSD: later there might be no room for what H1's groups become.
  static bool is_short_of_dram(const H2EarlyGCSnapshot& s) { return needed_bytes(s) > s._h2_may_have && has_promoted(s); }

  // A full GC frees what was promoted, at most. Where others took the memory, GC after GC would free nothing.
  static bool is_over_limit(const H2EarlyGCSnapshot& s) {
    return s._overdrawn > 0 && (s._promoted >= s._overdrawn || has_promoted(s));
  }

  // More DRAM would have saved waits in the proportion in which it holds what is on SSD: rather more, as it would hold
  // what is wanted most.
  static double saved_seconds(const H2EarlyGCSnapshot& s) {
    const double freed = (double)s._promoted * (1.0 - s._cost) / (double)s._on_ssd;
    return s._waited * (freed < 1.0 ? freed : 1.0);
  }

  // Whether a full GC takes less time than threads have waited for the SSD for want of what it frees.
  static bool saves_waits(const H2EarlyGCSnapshot& s) {
    return s._on_ssd > 0 && has_promoted(s) && saved_seconds(s) >= s._gc_takes;
  }
};

#endif // SHARE_GC_H2_H2EARLYGCRULE_HPP
