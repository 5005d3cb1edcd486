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

#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2Cards.inline.hpp"
#include "gc/h2/h2Pacer.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Scavenge.hpp"
#include "gc/h2/h2Strings.hpp"
#include "gc/h2/h2Survivors.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/h2/h2Verifier.hpp"
#include "gc/parallel/psPromotionManager.inline.hpp"

H2RegionClaimer H2Scavenge::_claimer;

class H2ScavengeVisitor : public StackObj {
  PSPromotionManager* const _pm;
  H2Region* const           _region;

  // Groups in H2 live long, and so does most of what they refer to. If it stayed young, each
  // young GC would read the card again, and that may fault on a page nobody else wants.
  template <typename T>
  uint promote(T* p, oop obj) {
    obj = _pm->copy_to_survivor_space</*promote_immediately=*/true>(obj);
    RawAccess<IS_NOT_NULL>::oop_store(p, obj);
    if (!PSScavenge::is_obj_in_young(obj)) {
      return H2Cards::Old;
    }
    // Its copy existed already, or the old generation is full.
    H2Heap::cards()->inline_write_ref_field_gc(p);
    return H2Cards::Young;
  }

 public:
  // Another worker may dirty a card for what is handed to it.
  static const bool Concurrent = true;
  static bool wants(H2Cards::CardValue v) { return v == CardTable::dirty_card_val(); }

  H2ScavengeVisitor(PSPromotionManager* pm, H2Region* region) : _pm(pm), _region(region) {}

  template <typename T>
  uint visit(T* p) {
    T value = RawAccess<>::oop_load(p);
    if (CompressedOops::is_null(value)) {
      return H2Cards::None;
    }
    oop obj = CompressedOops::decode_not_null(value);
    if (H2Heap::contains(obj)) {
      const uint target = H2Heap::regions()->head_index(cast_from_oop<HeapWord*>(obj));
      if (target != _region->head()) {
        _region->add_dependency(target);
      }
      return H2Cards::None;
    }
    return PSScavenge::is_obj_in_young(obj) ? promote(p, obj) : H2Cards::Old;
  }
};

void H2Scavenge::prepare() {
  _claimer.reset();
  H2Budget::prepare_young();
}

void H2Scavenge::scan_roots(PSPromotionManager* pm) {
  if (!H2Heap::is_enabled()) {
    return;
  }
  _claimer.each([=](H2Region* region) {
    H2ScavengeVisitor visitor(pm, region);
    H2Cards::scan(region, &visitor);
    pm->drain_stacks(false);
  });
}

void H2Scavenge::finish() {
  if (H2Heap::is_enabled()) {
    H2Tags::prune_if_grown();
    H2Strings::prune_if_grown();
    H2Survivors::young_finished();
    H2Survivors::give_back();
    H2Budget::measure();
    H2Budget::share();
    H2Pacer::young_finished();
    H2Heap::backend()->epoch();
    H2Verifier::verify("young");
  }
}
