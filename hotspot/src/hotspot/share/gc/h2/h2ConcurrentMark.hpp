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

#ifndef SHARE_GC_H2_H2CONCURRENTMARK_HPP
#define SHARE_GC_H2_H2CONCURRENTMARK_HPP

#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Reached.inline.hpp"
#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/resizeableResourceHash.hpp"

class ClassLoaderData;
class H2Region;
class JavaThread;

// Marking of H2 beside the program, ahead of a look (see H2Liveness).
//
// If the next full GC is to look, the one before records the objects of H2 to which the rest of the heap refers, as it adjusts
// these references. Then a thread marks from them, by shapes: only a GC changes a shape, and none runs at the same time. The look
// begins with what is marked. It visits the blocks that still wait, and those to which the program has written, as if they had been
// reached just now. So it misses nothing, whatever the program has done meanwhile.
//
// But what has died since then lives until another look. Weak references count as strong ones, and objects of H1 that only dead
// objects of H2 refer to count, too. So now and then a look begins anew, and so does each while they find much, or if somebody waits
// for the result.
class H2ConcurrentMark : AllStatic {
  enum State : uint8_t {
    Idle,
    Records,  // in a full GC
    Marks,    // until the next full GC, or until all is marked
    Ended     // until the next full GC, or until that has not come for long
  };

  typedef ResizeableResourceHashtable<uint64_t, bool, AnyObj::C_HEAP, mtGC> Dependencies;

  static volatile State                              _state;
  static volatile uint                               _epoch;          // another one each time that marking begins
  static bool                                        _is_prepared;
  static uint                                        _in_a_row;       // looks that began with what was marked
  static Dependencies*                               _dependencies;   // pairs of regions that were found
  static GrowableArrayCHeap<ClassLoaderData*, mtGC>* _loaders;        // of reached objects
  static volatile int                                _next_loader;

 public:
  // A full GC has chosen what moves: it records from now on, unless the next look is to begin anew.
  static void begin();
  // Something outside H2 refers to the object, at its new place. By any worker.
  static inline void see(oop obj);
  // The full GC ends, and marking begins if it has recorded.
  static void full_finished();
  // Nobody wants the marks.
  static void forget();
  // The look has swept.
  static void look_ends();

  // Whether the look may begin with what is marked, or does.
  static bool has_marks()         { return _state == Ended || (_state == Marks && _is_prepared); }
  // The look begins so, or not. At its start.
  static void look_begins(bool with_marks);
  // To one worker each.
  static bool take_loader(ClassLoaderData** loader);

  // For the thread that marks. It waits until there is something to do, and returns the epoch.
  static uint wait(JavaThread* thread);
  static bool is_marking(uint epoch) { return _state == Marks && _epoch == epoch; }
  // All blocks of H2 know what they wait for.
  static void prepared()      { _is_prepared = true; }
  static void note_dependency(uint from, uint to);
  static void note_loader(ClassLoaderData* loader);
  static void ended();
};

inline void H2ConcurrentMark::see(oop obj) {
  if (_state == Records && H2Heap::contains(obj)) {
    H2Reached::add(obj);
  }
}

#endif // SHARE_GC_H2_H2CONCURRENTMARK_HPP
