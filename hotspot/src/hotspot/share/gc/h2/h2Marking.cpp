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

#include "classfile/classLoaderData.hpp"
#include "gc/h2/h2Cards.inline.hpp"
#include "gc/h2/h2Marking.inline.hpp"
#include "gc/parallel/psCompactionManager.inline.hpp"
#include "gc/parallel/psParallelCompact.inline.hpp"
#include "logging/log.hpp"
#include "runtime/atomic.hpp"
#include "utilities/spinYield.hpp"

volatile uint* H2Marking::_queue = nullptr;
volatile uint  H2Marking::_pushed = 0;
volatile uint  H2Marking::_popped = 0;

void H2Marking::prepare() {
  H2RegionTable* const regions = H2Heap::regions();
  if (_queue == nullptr) {
    _queue = NEW_C_HEAP_ARRAY(volatile uint, regions->length(), mtGC);
  }
  for (uint i = 0; i < regions->limit(); i++) {
    regions->at(i)->clear_live();
    _queue[i] = Unset;
  }
  _pushed = 0;
  _popped = 0;
}

void H2Marking::mark_region(uint head_index) {
  if (H2Heap::regions()->at(head_index)->make_live()) {
    const uint slot = Atomic::fetch_then_add(&_pushed, 1u);
    Atomic::release_store(&_queue[slot], head_index);
  }
}

bool H2Marking::pop(uint* index) {
  uint slot;
  do {
    slot = Atomic::load_acquire(&_popped);
    if (slot == Atomic::load_acquire(&_pushed)) {
      return false;
    }
  } while (Atomic::cmpxchg(&_popped, slot, slot + 1) != slot);
  // The slot is claimed by its pusher before it is filled.
  SpinYield spin;
  while ((*index = Atomic::load_acquire(&_queue[slot])) == Unset) {
    spin.wait();
  }
  return true;
}

// Marks what backward references point to.
class H2MarkVisitor : public StackObj {
  ParCompactionManager* const _cm;
  H2Region* const             _region;

 public:
  static const bool Concurrent = false;
  static bool wants(H2Cards::CardValue v) { return v != CardTable::clean_card_val(); }

  H2MarkVisitor(ParCompactionManager* cm, H2Region* region) : _cm(cm), _region(region) {}

  template <typename T>
  uint visit(T* p) {
    T value = RawAccess<>::oop_load(p);
    if (CompressedOops::is_null(value)) {
      return H2Cards::None;
    }
    oop obj = CompressedOops::decode_not_null(value);
    if (H2Heap::contains(obj) && !H2Returner::redirect(p, &obj)) {
      // Written by the program since the last GC: a dependency not known yet.
      const uint target = H2Heap::regions()->head_index(cast_from_oop<HeapWord*>(obj));
      if (target != _region->head()) {
        _region->add_dependency(target);
        H2Marking::mark_region(target);
      }
      return H2Cards::None;
    }
    _cm->mark_and_push(p);
    return H2Cards::Old;
  }
};

void H2Marking::scan(uint index, ParCompactionManager* cm) {
  H2Region* const region = H2Heap::regions()->at(index);
  PCMarkAndPushClosure keep_loader(cm, PSParallelCompact::ref_processor());
  for (ClassLoaderData* cld : *region->loaders()) {
    keep_loader.do_cld(cld);
  }
  if (H2Liveness::is_looking()) {
    // Each object that can be reached is followed by itself.
    return;
  }
  for (uint dependency : *region->dependencies()) {
    mark_region(dependency);
  }
  H2MarkVisitor visitor(cm, region);
  H2Cards::scan(region, &visitor);
}

bool H2Marking::scan_pending_region(ParCompactionManager* cm) {
  uint index;
  if (!H2Heap::is_enabled() || !pop(&index)) {
    return false;
  }
  scan(index, cm);
  return true;
}

bool H2Marking::is_live(oop obj) {
  const oop copy = H2Returner::copy_of(obj);
  if (copy != nullptr) {
    return H2Collector::is_marked(copy);
  }
  if (H2Liveness::is_looking()) {
    return H2Liveness::is_reached(obj);
  }
  return H2Heap::regions()->head(cast_from_oop<HeapWord*>(obj))->is_live();
}

void H2Marking::free_dead_regions() {
  H2RegionTable* const regions = H2Heap::regions();
  const size_t before = regions->freed();
  H2RegionFreer freer(regions);
  for (uint i = 0; i < regions->limit(); i++) {
    H2Region* const region = regions->at(i);
    if (region->is_in_use() && !region->is_live() && !region->is_returning()) {
      log_debug(gc, h2)("Free region %u, label " JLONG_FORMAT ", %zuK", i, region->label(), region->used_bytes() / K);
      freer.free(region);
    }
  }
  log_info(gc, h2)("Freed %zu regions, %u of %u in use", regions->freed() - before, regions->in_use(), regions->length());
}
