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

#include "gc/h2/h2Adjuster.hpp"
#include "gc/h2/h2Cards.inline.hpp"
#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/h2/h2RegionClaimer.inline.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/shared/fullGCForwarding.inline.hpp"

class H2AdjustVisitor : public H2CardVisitor<H2AdjustVisitor> {
  H2Region* const _region;

 public:
  explicit H2AdjustVisitor(H2Region* region) : _region(region) {}

  // Marking has seen before what the program wrote.
  static bool is_news(H2Cards::CardValue v) { return false; }

  template <typename T>
  uint visit_h1(T* p, oop obj) {
    if (FullGCForwarding::is_forwarded(obj)) {
      obj = FullGCForwarding::forwardee(obj);
      RawAccess<IS_NOT_NULL>::oop_store(p, obj);
      if (H2Heap::contains(obj)) {
        // The target moves to H2 in this GC. An instance that begins before the card is in another unit's shape.
        H2Shapes::note_stale(p);
        H2Shapes::note_stale(H2Heap::starts()->block_start_reaching_into_card((HeapWord*)p));
        _region->refer_to(H2Heap::regions()->head_index(obj));
        return H2Cards::None;
      }
    }
    return H2Cards::classify(obj);
  }
};

void H2Adjuster::work() {
  _claimer.each([](H2Region* region) {
    if (!region->is_returning()) {
      H2AdjustVisitor visitor(region);
      H2Cards::scan(region, &visitor);
    }
  });
}
