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

#ifndef SHARE_GC_H2_H2RETURNER_HPP
#define SHARE_GC_H2_H2RETURNER_HPP

#include "gc/h2/h2Labels.hpp"
#include "memory/allStatic.hpp"
#include "memory/memRegion.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

class STWGCTimer;

// Brings groups of regions back to H1.
//
// Before marking, what the regions hold is copied to the top of the old generation
// as it lies, dead objects included, and compiled code refers to the copies. Marking,
// and adjusting where marking does not come, change each reference to an old place
// that they meet; from then on the copies live, move and die like anything in H1. The
// regions are freed at the end. Roots of groups are tagged as they were before they moved.
//
// A group is closed: no region outside has a dependency on one in it. So only
// roots, H1 and cards that are not clean may refer to it, and a full GC visits all
// of those.
class H2Returner : AllStatic {
  struct Request {
    jlong _label;
    uint  _percent;       // of the old generation, which may be used then
    bool  _by_itself;     // nobody asked for it
  };

  struct Returned : public CHeapObj<mtGC> {
    H2LabelSet _labels;
    MemRegion  _copies;   // all of them lie in there
  };

  static GrowableArrayCHeap<Request, mtGC>* _requested;
  static Returned* _returned;   // in this full GC; null if nothing returns
  static size_t _returned_bytes;

  static void add_request(Request request);
  static bool take_request(Request* request);
  static void return_label(Request request);
  static void return_requested();

 public:
  // Asks for the regions of a label, at the next full GC, if the old generation has
  // room for twice as much. A move that was asked for is forgotten. By any thread.
  static void request(jlong label);
  // The same for a label that had better be in H1, unless the program asks for a move of
  // it, or of what returns with it, or it would fill so much that something has to move.
  static void propose(jlong label);

  // Copies what is asked for or hot, and fits. Before marking.
  static void prepare(STWGCTimer* timer);
  // Compiled code refers to the copies from now on, if there are any, be it of hot objects.
  static void redirect_code();
  // The same for weak handles, before regions are freed that had nothing else than hot objects.
  static void redirect_weak_handles();
  // Frees the regions. After adjusting.
  static void finish();

  // The copy of an object of H2; null if it does not return, and is not hot either (see H2HotObjects).
  static inline oop copy_of(oop obj);
  // If obj, of H2, returns: makes *p and *obj refer to its copy.
  template <typename T>
  static inline bool redirect(T* p, oop* obj);

  // In this full GC.
  static bool is_copy(oop obj)          { return _returned != nullptr && _returned->_copies.contains(cast_from_oop<HeapWord*>(obj)); }
  static bool has_returned(jlong label) { return _returned != nullptr && _returned->_labels.contains(label); }

  static size_t returned_bytes() { return _returned_bytes; }
};

#endif // SHARE_GC_H2_H2RETURNER_HPP
