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

#ifndef SHARE_GC_H2_H2LIVENESS_HPP
#define SHARE_GC_H2_H2LIVENESS_HPP

#include "gc/h2/h2ObjectBits.hpp"
#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/globalDefinitions.hpp"

class STWGCTimer;

// How much of H2 can still be reached.
//
// A region dies as a whole, so one that lives may hold much that nobody can reach
// any more. A look finds that out: in a full GC, marking notes which objects it
// meets at the fence, and all that these lead to in H2 is followed. What is reached
// is read, wherever it is, which takes a second or so per GiB: a look is taken
// only when somebody asks for it.
//
// It is an estimate: what only a weak reference leads to counts as dead, though it
// may be had again, and what dead objects of H2 keep alive in H1 counts as live.
//
// Labels that are mostly dead return to H1 at the next full GC, and what is dead of
// them dies there.
class H2Liveness : AllStatic {
  static H2ObjectBits  _entries;   // what H1 and roots refer to
  static H2ObjectBits  _reached;
  static bool          _initialized;
  static bool          _looking;   // in the current full GC
  static volatile bool _requested;

  static void return_mostly_dead();

  friend class H2LookWorker;
  friend class H2LookTask;

 public:
  // Asks for a look in the next full GC. By any thread.
  static void request();

  // Decides whether this full GC takes a look. Before marking.
  static void prepare();
  // Marking has met a reference to an object of H2.
  static inline void enter(oop obj);
  // Looks. After marking, when dead regions are freed.
  static void look(STWGCTimer* timer);
};

#endif // SHARE_GC_H2_H2LIVENESS_HPP
