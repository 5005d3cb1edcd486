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

#ifndef SHARE_GC_H2_H2TAGS_HPP
#define SHARE_GC_H2_H2TAGS_HPP

#include "gc/h2/h2Labels.hpp"
#include "gc/h2/h2WeakRoots.hpp"
#include "memory/allStatic.hpp"

class H2Region;

// The side table of tags, and the labels that are to move. Any thread may tag and
// ask; the rest is read and changed at a safepoint.
class H2Tags : AllStatic {
  static H2WeakRoots* _tags;
  static H2LabelSet*  _requested;   // by the program, since the last move
  static volatile bool _are_used;   // something was tagged since the VM started
  static H2LabelSet*  _unfinished;  // found room in part

 public:
  static void initialize();

  static void add(oop root, jlong label);
  static void request_move(jlong label);

  // At a safepoint.
  static const GrowableArrayCHeap<H2WeakRoot, mtGC>* all() { return _tags->all(); }
  static bool is_requested(jlong label)                    { return _requested->contains(label); }
  // Calls f(label).
  template <typename Function>
  static void each_requested(Function f)                   { _requested->each(f); }
  // Requested or unfinished.
  static bool has_to_move(jlong label)                     { return is_requested(label) || _unfinished->contains(label); }
  static bool has_work()                                   { return !_requested->is_empty() || !_unfinished->is_empty(); }
  static bool is_any_requested(const H2LabelSet& labels);
  static void forget(jlong label);
  // A request could not be tried.
  static void postpone();
  // After a move that left these labels in part.
  static void finish(const H2LabelSet& unfinished);
  // Drops the tags of dead roots, and all but a root's last tag. Those of roots that have
  // moved go to the regions in which they are.
  static void prune();
  // An object that has returned has its tags again.
  static void put_back(const H2Region* region);
  // As prune, for young GCs, in which nothing moves.
  static void prune_if_grown()                             { _tags->prune_if_grown(); }

  static bool are_used() { return _are_used; }
  static int count() { return _tags == nullptr ? 0 : _tags->count(); }
};

#endif // SHARE_GC_H2_H2TAGS_HPP
