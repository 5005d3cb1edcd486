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

#ifndef SHARE_GC_H2_H2YOUNGLOAN_HPP
#define SHARE_GC_H2_H2YOUNGLOAN_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

struct H2EngineStats;

// Lends H2 the upper part of eden while threads hardly allocate and read what H2 has no room for, and with it the empty parts
// of the survivor spaces, which nobody writes to before the next GC. The pages go back to the kernel in a safepoint, as else
// threads allocate there. The loan ends as eden fills, or with the next GC.
class H2YoungLoan : AllStatic {
  static size_t   _lent;
  static uint64_t _faults;   // at the last look
  static int      _looks;    // in a row with many more

  static bool misses(const H2EngineStats& engine);

 public:
  // Each second, by the director's thread, after H2Forecast. Returns whether a GC would let H2 have much more.
  static bool look(const H2EngineStats& engine);
  // A GC begins, or H2 could not give it back.
  static void end() { _lent = 0; }

  static size_t bytes() { return _lent; }
};

#endif // SHARE_GC_H2_H2YOUNGLOAN_HPP
