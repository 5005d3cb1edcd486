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

#ifndef SHARE_GC_H2_H2HOTOBJECTS_HPP
#define SHARE_GC_H2_H2HOTOBJECTS_HPP

#include "memory/allocation.hpp"
#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/ticks.hpp"

class H2Region;

// A word of H2, and how often threads waited for it.
struct H2HotPlace {
  HeapWord* _word;
  uint64_t  _count;
};

// Brings hot objects back to H1, one by one, so that a unit which has one of them and is cold else can leave memory.
//
// Before marking, in a full GC that looks through H2, they are copied to the old generation, each with what hangs on it in
// its block. From then on marking changes each reference to an old place that it meets, and follows the copy. It meets
// all references from roots, H1, and objects of H2 that live. Shapes name the objects whose
// references have to change (see H2ShapeVisit). Nobody reaches the old places, so the look finds them dead.
//
// Objects that the program has tagged stay where it wants them.
class H2HotObjects : AllStatic {
  struct Entry {
    HeapWord* _from;   // null: free
    HeapWord* _to;
  };

  static Entry* _map;           // by hash; null but in a full GC that gathers
  static size_t _mask;          // its length less one
  static size_t _each;          // bytes that a place took
  static double _each_takes;    // seconds; 0 until there was a gather
  static int    _taken;         // places, in this full GC
  static Ticks  _started;

  friend class H2HotSelection;

  static inline Entry* find(const HeapWord* from);
  static void copy(const GrowableArrayCHeap<HeapWord*, mtGC>& objects, size_t words);

 public:
  typedef GrowableArrayCHeap<H2HotPlace, mtGC> Places;

  // Whether a full GC is worth its time for hot objects alone, which takes so many seconds. The last one ended `since` seconds ago.
  static bool is_worth_a_full_gc(double gc_takes, double since);
  // Adds the places of hot objects, if it is worth the time of a full GC that comes anyway. At a safepoint.
  static void find_places(Places* places, double since);
  // Copies the objects. In a full GC that looks, before it decides which blocks it reads.
  static void gather(Places* places);
  static void finish();

  // In this full GC.
  static bool is_gathering() { return _map != nullptr; }
  static inline bool is_hot(HeapWord* p);
  // The copy of an object of H2; null if there is none.
  static inline oop copy_of(oop obj);
  // The field p of H2 refers to a copy from now on. By any worker.
  static void refer_back(void* p);
};

#endif // SHARE_GC_H2_H2HOTOBJECTS_HPP
