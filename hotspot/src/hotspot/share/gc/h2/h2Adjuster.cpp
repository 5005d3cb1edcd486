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
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/shared/fullGCForwarding.inline.hpp"

H2RegionClaimer H2Adjuster::_claimer;

class H2AdjustVisitor : public StackObj {
  H2Region* const _region;

 public:
  static const bool Concurrent = false;
  static bool wants(H2Cards::CardValue v) { return v != CardTable::clean_card_val(); }

  explicit H2AdjustVisitor(H2Region* region) : _region(region) {}

  template <typename T>
  uint visit(T* p) {
    T value = RawAccess<>::oop_load(p);
    if (CompressedOops::is_null(value)) {
      return H2Cards::None;
    }
    oop obj = CompressedOops::decode_not_null(value);
    if (H2Heap::contains(obj)) {
      return H2Cards::None;
    }
    if (FullGCForwarding::is_forwarded(obj)) {
      obj = FullGCForwarding::forwardee(obj);
      RawAccess<IS_NOT_NULL>::oop_store(p, obj);
      if (H2Heap::contains(obj)) {
        // The target moves to H2 in this GC.
        const uint target = H2Heap::regions()->head_index(cast_from_oop<HeapWord*>(obj));
        if (target != _region->head()) {
          _region->add_dependency(target);
        }
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
