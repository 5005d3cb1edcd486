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

class outputStream;
struct H2EngineStats;
struct H2NeedsSnapshot;

// The memory limit and how it is divided. The parts are more than the limit
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
//   beside   what is neither heap: a guess at first, then measured at each GC and each
//            second where the limit is the process's own; more in a full GC, whose
//            lists are as long as what moves
//   staging  buffers of objects on their way to H2
//
// Each GC divides anew, and so does H2Director's thread each second. Before H1 grows by more than was expected, H2 gives back.
class H2Budget : AllStatic {
  static size_t _beside;
  static size_t _full_gc;         // what a full GC takes more than _beside, for as long as it lasts
  static H2Division _division;
  static size_t _staying;         // bytes that H1 will hold once objects have moved in this full GC; 0 if that is not known
  static bool _lends_full_gc;     // without an SSD: until a full GC begins, H2 has what that takes, and can give it back

  static size_t lent_young_bytes();
  static size_t expected_promotion();
  static size_t own_h1();
  static size_t expected_growth();
  static size_t expected_h1();
  static size_t first_full_gc();
  static size_t kept_bytes(const H2EngineStats& engine);
  static size_t beside_now();
  static size_t h2_bytes_beside(size_t taken);
  static size_t staging_now();
  static bool can_divide();
  static void divide(size_t beside, size_t staging);
  static size_t beside_in_full_gc();
  static void divide_for_full_gc();
  static bool can_give_back(const H2EngineStats& engine);
  static bool find_needs(H2NeedsSnapshot* needs);

 public:
  // When sizes are known: before the first GC.
  static void initialize();
  static size_t beside() { return _beside; }

  // A GC begins, and ends.
  static void prepare_young();
  static void prepare_full();
  static void measure();

  // In a full GC, by the VM thread: before the lists of a move are made, waits while H2
  // still gives back what prepare_full() took from it.
  static void wait_for_h2();
  // Objects move, and of H1 so much stays, of which it holds most already. So H2 may have what H1
  // would have taken for a promotion.
  static void will_stay(size_t bytes);
  static void full_ends()             { _staying = 0; }
  // When the lists of a move are longest.
  static void measure_full_gc();
  // A move of `bytes` would need so much more DRAM to leave them as they are; 0 if H1 lends nothing.
  static size_t lacks_for_move(size_t bytes);
  // Divides anew for the rest of a full GC after which H1 holds so many bytes: H2 has what there is
  // now, as far as it may keep that.
  static void divide_for_move(size_t stays);

  // Each second, by the director's thread: how far the next GC is, and so what H1 can lend. Returns whether a GC would let it
  // lend much more.
  static bool look(const H2EngineStats& engine);
  // H1 may hold more or less than before. By the thread that made it so.
  static void share();
  // DRAM that H2 may have now.
  static size_t h2_bytes();
  // DRAM that H2 has.
  static size_t dram_bytes(const H2EngineStats& engine);
  // DRAM that H2 will have once H1 has its full size.
  static size_t h2_bytes_beside_full_h1();
  // As share() last divided the memory; all 0 before it did.
  static const H2Division& division() { return _division; }
  static void print_on(outputStream* st);

  // By how much the program's next allocations and the full GC after them exceed a limit,
  // whatever H2 gives back. At the end of a GC.
  static size_t overdrawn_bytes(size_t limit);
  // Bytes that the memory limit leaves beside these; SIZE_MAX if nobody can tell.
  static size_t left_bytes();
  // At the end of a full GC, when memory was given back.
  static void full_finished();

  // After a full GC, by the VM thread: what it has left free in the old generation
  // goes back to the system.
  static void give_back_old();
  // After any GC, by the VM thread: so does what the next young GC will not need.
  static void give_back_young();
  // The same, if the limit has fallen: so does the free part of eden.
  static void give_back_eden();

  // Gives what malloc holds unused back to the kernel. At the end of a full GC, and by
  // H2Director's thread each second, while it does not hold up a safepoint.
  static void give_back_malloc();
};

#endif // SHARE_GC_H2_H2BUDGET_HPP
