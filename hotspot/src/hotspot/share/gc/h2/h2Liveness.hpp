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

#include "gc/h2/h2HotObjects.hpp"
#include "memory/allStatic.hpp"
#include "memory/allocation.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/ticks.hpp"

class STWGCTimer;

// The objects of H2 that can still be reached.
//
// A region dies as a whole, so one that lives may hold much that nobody can reach
// any more. A look finds that out: in that full GC marking does not stop at the
// fence, but follows objects of H2 like those of H1, so that weak references,
// classes and H1 see exactly what lives. H2Sweeper then cleans what does not.
//
// Marking follows reached objects by the shapes of their units (see H2ShapeMarking), and reads units of
// which the shape is stale or missing. Most of it takes place beside the program, before the pause (see H2ConcurrentMark). A look
// is taken when somebody asks for it, or when H2Shortage or H2References says so.
//
// Labels that are mostly dead return to H1 at the next full GC, and what is left of
// them can move again more densely.
class H2Liveness : AllStatic {
  struct Look : public CHeapObj<mtGC> {
    const bool   _may_split;     // nobody asked for this look, so runs may be split
    const bool   _for_room;
    const bool   _is_exact;      // it finds all that is dead
    const size_t _used_before;   // bytes of H2
    const size_t _freed_before;  // regions since the VM started
    const Ticks  _began;

    Look(bool may_split, bool for_room, bool is_exact);
  };

  static Look*         _look;      // in the current full GC, until look() has swept; else null
  static volatile bool _requested;

  static bool is_wanted_for_room(bool last_resort);
  static void find_hot_places(H2HotObjects::Places* places, bool last_resort, double since);
  static bool make_bitmap();
  static void begin_look(bool with_marks);
  static void make_room_for_bitmap();
  static void forget_dependencies();
  static void return_mostly_dead();

 public:
  // Asks for a look in the next full GC. By any thread.
  static void request();

  // Decides whether this full GC takes a look, be it for hot objects. The last one ended `since` seconds ago. Before marking, when what returns has left.
  static void prepare(bool last_resort, double since);
  static bool is_looking() { return _look != nullptr; }
  // Marking has met the object of H2 in the field p, and looks: who comes first has it
  // followed.
  template <typename T, typename Worker>
  static inline void reach(T* p, oop obj, Worker* worker);
  // When it is known what moves: if the next full GC will look, has H2 marked until then.
  static void expect_next();
  // Cleans what was not reached. After marking, when dead regions are freed.
  static void look(STWGCTimer* timer);
};

#endif // SHARE_GC_H2_H2LIVENESS_HPP
