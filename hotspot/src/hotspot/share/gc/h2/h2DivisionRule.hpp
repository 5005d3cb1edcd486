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


#ifndef SHARE_GC_H2_H2DIVISIONRULE_HPP
#define SHARE_GC_H2_H2DIVISIONRULE_HPP

#include <stddef.h>

// Bytes that the process holds, or will touch before the next full GC has ended.
struct H2NeedsSnapshot {
  size_t _anonymous;     // what the kernel cannot take back, of all the process
  size_t _h2;            // of that
  size_t _h2_kept;       // what H2 has when it has given back all that it can
  size_t _young;         // of the young generation, without what is lent
  size_t _young_touched; // of that, what is in memory already
  size_t _promotion;
  size_t _full_gc;       // what a full GC takes more than else
  size_t _margin;
};

// How the one memory limit is divided (see H2Budget). Names nothing of HotSpot, so that it can be tried by itself.
class H2DivisionRule {
  static size_t beyond(size_t a, size_t b) { return a < b ? 0 : a - b; }

  // Bytes of the process when H2 has given back what it can.
  static size_t bytes(const H2NeedsSnapshot& s) {
    const size_t others = beyond(s._anonymous, s._h2);
    return others + s._h2_kept + beyond(s._young, s._young_touched) + s._promotion + s._full_gc + s._margin;
  }

 public:
  // Bytes that H1 and all else leave to H2, which needs some in any case.
  static size_t h2_bytes(size_t limit, size_t taken, size_t least) {
    const size_t left = beyond(limit, taken);
    return left < least ? least : left;
  }

  // By how much the limit will be exceeded, whatever H2 gives back.
  static size_t overdrawn_bytes(const H2NeedsSnapshot& s, size_t limit) { return beyond(bytes(s), limit); }

  // Bytes that the process may take beside what it holds, or will touch.
  static size_t left_bytes(const H2NeedsSnapshot& s, size_t limit) { return beyond(limit, bytes(s)); }
};

#endif // SHARE_GC_H2_H2DIVISIONRULE_HPP
