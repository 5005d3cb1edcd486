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
#include "gc/h2/h2Cards.hpp"
#include "gc/h2/h2Collector.inline.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2ShapeMarking.inline.hpp"
#include "gc/h2/h2Tracer.hpp"
#include "gc/shared/workerThread.hpp"
#include "logging/log.hpp"

uint8_t*        H2ShapeMarking::_states = nullptr;
volatile size_t H2ShapeMarking::_visits = 0;
volatile size_t H2ShapeMarking::_far = 0;

void H2ShapeMarking::initialize(MemRegion range) {
  _states = H2Shapes::reserve_bytes(H2Shapes::num_units(range));
}

template <typename Function>
void H2ShapeMarking::each_unit(const H2Region* region, Function f) {
  const size_t end = H2Shapes::unit(region->top());
  for (size_t unit = H2Shapes::unit(region->bottom()); unit < end; unit++) {
    f(unit);
  }
}

struct H2CardsFound {
  bool _clean;
  bool _dirty;
};

static H2CardsFound look_at_cards(HeapWord* from, HeapWord* to) {
  H2CardsFound found = { true, false };
  const CardTable::CardValue* const last = H2Heap::cards()->byte_for(to - 1);
  for (const CardTable::CardValue* c = H2Heap::cards()->byte_for(from); c <= last; c++) {
    if (is_aligned(c, sizeof(intptr_t)) && c + sizeof(intptr_t) <= last && *(intptr_t*)c == CardTable::clean_card_row_val()) {
      c += sizeof(intptr_t) - 1;
      continue;
    }
    found._clean = found._clean && *c == CardTable::clean_card_val();
    found._dirty = found._dirty || *c == CardTable::dirty_card_val();
  }
  return found;
}

static bool is_resident(size_t unit) {
  H2Census census = {};
  const size_t offset = pointer_delta(H2Shapes::address(unit), H2Heap::start(), 1);
  return H2Heap::backend()->census(offset, H2Heap::backend()->unit_bytes(), &census) && census._resident > 0;
}

uint8_t H2ShapeMarking::mode(const H2Region* region, size_t unit, size_t* far) {
  HeapWord* const from = H2Shapes::address(unit);
  HeapWord* to = H2Shapes::address(unit + 1);
  if (!H2Shapes::has_shape(unit)) {
    return 0;
  }
  if (H2Shapes::reaches(unit)) {
    to = MIN2(to + H2Shapes::reader(unit).reach(), region->top());
  }
  const H2CardsFound cards = look_at_cards(from, to);
  if (cards._dirty) {
    H2Shapes::note_stale(from);
  }
  *far += cards._clean && H2Shapes::is_stale(unit) && !is_resident(unit) ? 1 : 0;
  // What constants refer to is found out anew by each GC, and may be gone (see H2Shared::renew_dependencies).
  return cards._clean && !H2Shapes::is_stale(unit) && region->label() != H2Tracer::SharedLabel ? Shaped : 0;
}

void H2ShapeMarking::choose_modes(H2Region* region) {
  size_t far = 0;
  each_unit(region, [&](size_t unit) { _states[unit] = mode(region, unit, &far); });
  Atomic::add(&_far, far, memory_order_relaxed);
}

class H2ShapeModeTask : public WorkerTask {
  H2RegionClaimer _claimer;

 public:
  H2ShapeModeTask() : WorkerTask("H2 shapes"), _claimer() {}

  void work(uint worker_id) override {
    _claimer.each([](H2Region* region) {
      if (!region->is_returning()) {
        H2ShapeMarking::choose_modes(region);
      }
    });
  }
};

size_t H2ShapeMarking::prepare() {
  _visits = 0;
  _far = 0;
  H2ShapeModeTask task;
  H2Heap::collector()->workers()->run_task(&task);
  return _far * H2Heap::backend()->unit_bytes();
}

void H2ShapeMarking::finish() {
  size_t units = 0;
  size_t read = 0;
  const H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->limit(); i++) {
    if (regions->at(i)->is_in_use() && !regions->at(i)->is_returning()) {
      each_unit(regions->at(i), [&](size_t unit) {
        units++;
        read += (_states[unit] & WasRead) != 0 ? 1 : 0;
      });
    }
  }
  log_info(gc, h2)("Marked H2 from shapes of %zuK: %zu visits; %zu of %zu units were read", H2Shapes::bytes() / K, _visits, read, units);
}
