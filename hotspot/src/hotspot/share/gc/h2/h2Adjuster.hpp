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

#ifndef SHARE_GC_H2_H2ADJUSTER_HPP
#define SHARE_GC_H2_H2ADJUSTER_HPP

#include "gc/h2/h2RegionClaimer.hpp"
#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"

// Counts of one full GC.
struct H2Adjusted {
  volatile size_t _still;       // blocks whose targets hold still
  volatile size_t _corrected;   // blocks that were not read, though targets move
  volatile size_t _read;        // blocks
  volatile size_t _patched;     // references, in units that are not in memory
};

// Points backward references at the new places of their targets, in the adjust
// phase of one full GC. Reads only cards that are not clean, and none of blocks whose references are known (see H2Targets).
class H2Adjuster : public CHeapObj<mtGC> {
  H2RegionClaimer _claimer;
  H2Adjusted      _adjusted;

 public:
  H2Adjuster() : _claimer(), _adjusted() {}
  ~H2Adjuster();

  // Adjusts regions until none is left. By every worker at once.
  void work();
};

#endif // SHARE_GC_H2_H2ADJUSTER_HPP
