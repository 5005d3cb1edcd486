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

#ifndef SHARE_GC_H2_H2GATHERRULE_HPP
#define SHARE_GC_H2_H2GATHERRULE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>

// Of words for which threads waited about as often.
struct H2GatherStep {
  size_t _places;
  size_t _waits;   // but for the first of each place
};

// Places are words of H2 for which a thread waited more than once since the last gather.
struct H2GatherSnapshot {
  static const int Steps = 16;

  H2GatherStep _steps[Steps];   // the i-th: 2 to the power of i times, or more
  size_t _places;     // of all steps, as what follows
  size_t _waits;
  double _waited;     // seconds, in these
  double _since;      // seconds since the last full GC
  double _gc_takes;   // seconds; 0 if the full GC comes anyway
  double _each_takes; // seconds: the object is read, and what refers to it, which is written
  size_t _h2_used;    // bytes, of which a look goes through the shapes
  size_t _room;       // bytes of H1 that may be taken
  size_t _each;       // bytes that a place takes in H1, with what hangs on it
};

// Decides whether a full GC copies the objects at such places to H1. It assumes that threads go on waiting as they did. So it
// pays once they have waited for as long as it takes.
class H2GatherRule {
  // Fewer are not worth a look.
  static const size_t LeastPlaces = 64;
  // A full GC that comes for this alone takes at most such a part of the time.
  static const int LeastPause = 8;

  // Seconds that a pause may be longer.
  static constexpr double MostSeconds = 1.0;

  // Shapes of a byte of H2 take so long, roughly.
  static double least(double a, double b) { return a < b ? a : b; }

 public:
  static double look_takes(size_t h2_used) { return (double)h2_used * 0.5e-9; }

  // So many places fit, in H1 and into a pause.
  static size_t taken(const H2GatherSnapshot& s) {
    const size_t fit = s._each == 0 ? 0 : s._room / s._each;
    const size_t taken = fit < s._places ? fit : s._places;
    return (double)taken * s._each_takes <= MostSeconds ? taken : (size_t)(MostSeconds / s._each_takes);
  }

  // Waits for so many places, the hottest first.
  static size_t waits(const H2GatherSnapshot& s, size_t places) {
    size_t sum = 0;
    for (int i = H2GatherSnapshot::Steps - 1; i >= 0 && places > 0; i--) {
      const H2GatherStep& step = s._steps[i];
      const size_t taken = places < step._places ? places : step._places;
      sum += taken == 0 ? 0 : (size_t)((double)step._waits * (double)taken / (double)step._places);
      places -= taken;
    }
    return sum;
  }

  // Seconds that are saved. Threads may wait beside each other, and no more can be saved than passes.
  static double saves(const H2GatherSnapshot& s) {
    return s._waits == 0 ? 0.0 : least(s._waited, s._since) * (double)waits(s, taken(s)) / (double)s._waits;
  }

  // Seconds.
  static double costs(const H2GatherSnapshot& s) {
    return s._gc_takes + look_takes(s._h2_used) + s._each_takes * (double)taken(s);
  }

  // Null if it does, else why it does not.
  static const char* refusal(const H2GatherSnapshot& s) {
    return s._places < LeastPlaces                ? "threads waited for few objects again" :
           taken(s) < LeastPlaces                 ? "H1 has no room to spare" :
           saves(s) < costs(s)                    ? "it takes longer than threads waited" :
           s._since < s._gc_takes * LeastPause    ? "the last full GC was just now" : nullptr;
  }
};

#endif // SHARE_GC_H2_H2GATHERRULE_HPP
