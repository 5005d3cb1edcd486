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


#ifndef SHARE_GC_H2_H2BUDGET_HPP
#define SHARE_GC_H2_H2BUDGET_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// The memory limit and who has how much of it. The parts are more than the limit
// where it does not hold what H2 needs in any case.
struct H2Division {
  size_t _limit;
  size_t _h1;
  size_t _beside;
  size_t _staging;
  size_t _h2;
};

// The DRAM of H2 within the one memory limit of the process: what is left beside
//
//   H1       what the ordinary heap holds, and will touch before the next GC; what
//            its maximum and what is committed go beyond that is lent to H2
//   beside   what is neither heap: a guess at first, then measured at each GC where
//            the limit is the process's own
//   staging  buffers of objects on their way to H2
//
// Each GC divides anew. Before H1 grows by more than was expected, H2 gives back.
class H2Budget : AllStatic {
  static size_t _beside;
  static size_t _young_touched;   // of the young generation, in bytes
  static H2Division _division;

  static size_t expected_promotion();
  static size_t expected_h1();

 public:
  // When sizes are known: before the first GC.
  static void initialize();
  static size_t beside() { return _beside; }

  // A GC begins, and ends.
  static void prepare();
  static void measure();

  // H1 may hold more or less than before. By the thread that made it so.
  static void share();
  // What H2 may have now.
  static size_t h2_bytes();
  // As share() last divided the memory; all 0 before it did.
  static const H2Division& division() { return _division; }

  // After a full GC, by the VM thread: what it has left free in the old generation
  // goes back to the system.
  static void give_back_old();
};

#endif // SHARE_GC_H2_H2BUDGET_HPP
