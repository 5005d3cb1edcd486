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

#ifndef SHARE_GC_H2_H2FULLGC_HPP
#define SHARE_GC_H2_H2FULLGC_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

class STWGCTimer;

// H2's part in a full GC: one call from each of the collector's phases. All do
// nothing when H2 is off.
//
//   prepare          before marking: what returns is copied to H1
//   (marking)        H2Marking: the fence, live regions and what they refer to
//   select           after marking and class unloading: dead regions are freed,
//                    others cleaned, if marking looked at what lives in them,
//                    groups are chosen and found, candidates get addresses
//   (summary, forward)
//   adjust           with the collector's adjusting: backward references
//   copy             before compaction overwrites the candidates
//   (compaction)
//   finish           regions that returned are freed; the heap is sound again
//   has_to_look      the decision about a second one (see H2References)
class H2FullGC : AllStatic {
  static void select_what_moves(bool last_resort);

 public:
  // The last resort is a GC before an OutOfMemoryError, which clears all soft references, too.
  static void prepare(STWGCTimer* timer, bool last_resort);
  static void select(STWGCTimer* timer, bool last_resort);
  static void adjust_work(uint worker_id);
  static void copy(STWGCTimer* timer);
  static void finish();
  // Whether another full GC has to follow at once, which looks through H2.
  static bool has_to_look();
};

#endif // SHARE_GC_H2_H2FULLGC_HPP
