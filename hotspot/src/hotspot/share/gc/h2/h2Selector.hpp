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

#include "gc/h2/h2Tracer.hpp"
#include "memory/allocation.hpp"

// Decides which groups move in this full GC, and why:
//
//   asked      the program called H2.move or H2.moveNow for the label
//   occupancy  more than H2MoveThreshold percent of the old generation is live:
//              tagged groups, oldest first, and with H2Auto arrays without a tag
//   stress     H2Stress
class H2Selector : public StackObj {
  typedef GrowableArrayCHeap<H2Tracer::Root, mtGC> Roots;

  const bool _asked;
  const bool _occupied;

  static bool may_move_unasked();
  static bool is_occupied();
  static void roots_of(jlong label, Roots* roots);
  static void trace_asked(H2Tracer* tracer);
  static void trace_oldest(H2Tracer* tracer, size_t max_bytes);

 public:
  H2Selector();

  bool has_work() const;
  // Traces what was decided, up to about max_bytes.
  void trace_groups(H2Tracer* tracer, size_t max_bytes) const;
};

#endif // SHARE_GC_H2_H2SELECTOR_HPP
