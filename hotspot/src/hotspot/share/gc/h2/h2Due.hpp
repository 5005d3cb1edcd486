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

#ifndef SHARE_GC_H2_H2DUE_HPP
#define SHARE_GC_H2_H2DUE_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

struct H2EngineStats;

// Bytes that the program has to drop. Without an SSD, data that do not compress stay in the DRAM
// that H1 did not need when they moved, and H1 cannot have it back: so as much of them is due
// as exceeds what H2 may keep once H1 has its full size.
//
// Data that compress are never due: they become smaller by a move, and H2Director has them moved
// before H1 is full.
class H2Due : AllStatic {
  static bool lends_for_good(H2EngineStats* engine);

 public:
  // By any thread; 0 with an SSD, and where others use the same memory.
  static size_t bytes();
  // Whether three quarters of H2's data do not compress. False where nothing can be due.
  static bool is_mostly_raw();

  // Whether something may ever be due, so that each move has to be sampled.
  static bool is_possible();
  // So many bytes move. A sample says which part of them does not compress, and what a byte will take. In a full GC, by the
  // VM thread.
  static void will_move(size_t bytes, double raw_part, double cost);
};

#endif // SHARE_GC_H2_H2DUE_HPP
