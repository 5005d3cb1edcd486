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

#ifndef SHARE_GC_H2_H2STRESSER_HPP
#define SHARE_GC_H2_H2STRESSER_HPP

#include "gc/h2/h2HotObjects.hpp"
#include "gc/shared/gc_globals.hpp"
#include "memory/allStatic.hpp"

class H2GroupFinder;

// H2Stress: at each full GC, picks live objects at random places of H1 as roots of
// groups, tagged or not, with random labels and random limits to their closures,
// so that groups are also cut in the middle; and has some return. It picks nothing
// that the rules exclude: whatever goes wrong is a bug. The seed is logged; the same seed picks
// the same when the heap is the same. H2StressInterval forces full GCs on programs
// that would have too few of them.
class H2Stresser : AllStatic {
  static void count_allocation(size_t words);

 public:
  static void find(H2GroupFinder* finder);
  // One time in four: a label, of regions that are to return to H1.
  static bool choose_to_return(jlong* label);
  // One time in four: whether to look through H2.
  static bool choose_to_look();
  // One time in two: whether H2 is marked beside the program until the next full GC.
  static bool choose_to_mark_ahead();
  // One time in four: places of H2 whose objects are taken for hot.
  static void choose_to_gather(H2HotObjects::Places* places);

  // The allocating thread calls this. It owns no lock and may stop for a GC.
  static void before_allocation(size_t words) {
    if (H2StressInterval != 0) {
      count_allocation(words);
    }
  }
};

#endif // SHARE_GC_H2_H2STRESSER_HPP
