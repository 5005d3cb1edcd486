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


#ifndef SHARE_GC_H2_H2DUERULE_HPP
#define SHARE_GC_H2_H2DUERULE_HPP

#include <stddef.h>

// Bytes, all of them.
struct H2DueSnapshot {
  size_t _huge;             // stored as they are
  size_t _raw;              // not stored yet, and will not compress
  size_t _pool;             // what all that is stored takes
  size_t _used;             // of H2
  size_t _beside_full_h1;   // what H2 may keep once H1 has its full size
};

// Bytes that the program has to drop, without an SSD (see H2Due). Names nothing of HotSpot, so that it can be tried by itself.
class H2DueRule {
 public:
  // As much of the data that do not compress as H2 holds too much. Others give way by themselves.
  static size_t bytes(const H2DueSnapshot& s) {
    const size_t kept = s._pool + s._raw;
    const size_t beyond = kept < s._beside_full_h1 ? 0 : kept - s._beside_full_h1;
    const size_t incompressible = s._huge + s._raw;
    return incompressible < beyond ? incompressible : beyond;
  }

  // Then a move gives H1's memory to H2, and frees none.
  static bool is_mostly_raw(const H2DueSnapshot& s) { return s._huge + s._raw > s._used / 4 * 3; }
};

#endif // SHARE_GC_H2_H2DUERULE_HPP
