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

#ifndef SHARE_GC_H2_H2SELECTOR_HPP
#define SHARE_GC_H2_H2SELECTOR_HPP

#include "gc/h2/h2GroupFinder.hpp"
#include "gc/h2/h2Labels.hpp"
#include "memory/allocation.hpp"

class H2Mover;

// Decides which groups move in this full GC, and why:
//
//   asked      the program called H2.move or H2.moveNow for the label
//   occupancy  more than H2MoveThreshold percent of the old generation is live, or less where
//              full GCs follow each other closely (H2OccupancyRule), or
//              nothing else is left before an OutOfMemoryError:
//              tagged groups, oldest first; what groups in H2 have been made to refer
//              to since they moved; and with H2Auto whatever is old (H2AutoArrays, H2OldObjects)
//   stress     H2Stress
//
// A group that finds room only in part is unfinished: the next full GC goes on with
// what its part in H2 refers to in H1. An object that has just returned is not chosen for occupancy.
class H2Selector : public StackObj {
  typedef GrowableArrayCHeap<H2GroupFinder::Root, mtGC> Roots;

  const bool _last_resort;
  const bool _asked;
  const bool _occupied;
  H2LabelSet _by_occupancy;    // labels that were found for that
  H2LabelSet _with_more_rest;  // labels of which there was too much rest

  static bool may_move_unasked();
  static bool is_occupied();
  // Whether what the label's objects refer to may move unasked: the program made the group, and
  // does not ask for it.
  static bool has_grown(jlong label);
  // Adds what objects of labels refer to for which the condition holds, as much as one GC can take.
  template <typename Condition>
  void add_rest(Roots* roots, Condition condition);
  void find_asked(H2GroupFinder* finder);
  void find_oldest(H2GroupFinder* finder, size_t max_bytes);
  void find_grown(H2GroupFinder* finder, size_t max_bytes);
  static void say_what_stayed(const H2GroupFinder& finder, const H2Mover& mover);

 public:
  // The last resort is a GC before an OutOfMemoryError.
  explicit H2Selector(bool last_resort);

  bool has_work() const;
  // Finds what was decided, up to about max_bytes.
  void find_groups(H2GroupFinder* finder, size_t max_bytes);
  // Keeps in mind which groups are not whole.
  void finish(const H2GroupFinder& finder, const H2Mover& mover);
};

#endif // SHARE_GC_H2_H2SELECTOR_HPP
