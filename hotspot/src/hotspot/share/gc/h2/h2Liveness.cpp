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
#include "gc/h2/h2ConcurrentMark.hpp"
#include "gc/h2/h2DeadReferents.hpp"
#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Labels.hpp"
#include "gc/h2/h2LabelUse.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/h2/h2Liveness.inline.hpp"
#include "gc/h2/h2References.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Returner.hpp"
#include "gc/h2/h2ShapePacker.hpp"
#include "gc/h2/h2Shortage.hpp"
#include "gc/h2/h2Stresser.hpp"
#include "gc/h2/h2Sweeper.hpp"
#include "gc/h2/h2Verifier.hpp"
#include "gc/shared/gc_globals.hpp"
#include "gc/shared/gcTraceTime.inline.hpp"
#include "logging/log.hpp"
#include "memory/resourceArea.hpp"
#include "runtime/atomic.hpp"

H2Liveness::Look* H2Liveness::_look = nullptr;
volatile bool     H2Liveness::_requested = false;

// Labels with fewer dead bytes are not worth bringing back.
static const size_t LeastBytes = M;

void H2Liveness::request() {
  Atomic::store(&_requested, true);
}

H2Liveness::Look::Look(bool may_split, bool for_room, bool is_exact) :
  _may_split(may_split), _for_room(for_room), _is_exact(is_exact), _used_before(H2Heap::used()), _freed_before(H2Heap::regions()->freed()),
  _began(Ticks::now()) {}

bool H2Liveness::is_wanted_for_room(bool last_resort) {
  const char* const shortage = H2Shortage::reason_to_look(last_resort);
  if (shortage != nullptr) {
    H2Decisions::note("Looking through H2: %s", shortage);
  }
  return shortage != nullptr || (H2Stress && H2Stresser::choose_to_look());
}

bool H2Liveness::make_bitmap() {
  if (H2Reached::initialize()) {
    return true;
  }
  log_warning(gc, h2)("No memory for the bitmap of a look at H2; nothing is known of what died there");
  return false;
}

// The bitmap counts within the memory limit; H2Budget divides anew at the end of the GC.
void H2Liveness::make_room_for_bitmap() {
  if (H2Limits::shares_budget()) {
    const size_t bitmap = H2Heap::regions()->limit() * H2RegionSize / (HeapWordSize * BitsPerByte);
    const size_t bytes = H2Budget::h2_bytes();
    H2Heap::backend()->set_dram_limit(MAX2(bytes - MIN2(bytes, bitmap), H2Limits::least_bytes()));
  }
}

// Marking finds them anew: what the program has overwritten counts no more.
void H2Liveness::forget_dependencies() {
  H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->limit(); i++) {
    H2Region* const region = regions->at(i);
    if (region->is_in_use() && !region->is_returning()) {
      region->forget_dependencies();
    }
  }
}

void H2Liveness::begin_look(bool with_marks) {
  forget_dependencies();
  H2ConcurrentMark::look_begins(with_marks);
}

// Before an OutOfMemoryError H1 has nothing to spare.
void H2Liveness::find_hot_places(H2HotObjects::Places* places, bool last_resort, double since) {
  if (last_resort) {
    return;
  }
  H2HotObjects::find_places(places, since);
  if (H2Stress && places->is_empty()) {
    H2Stresser::choose_to_gather(places);
  }
}

void H2Liveness::prepare(bool last_resort, double since) {
  const bool requested = Atomic::cmpxchg(&_requested, true, false);
  const bool for_room = is_wanted_for_room(last_resort);
  const bool for_references = H2References::is_wanted();
  H2HotObjects::Places places;
  find_hot_places(&places, last_resort, since);
  const bool for_hot = !places.is_empty();
  if ((requested || for_room || for_references || for_hot) && make_bitmap()) {
    // Somebody waits for what is dead now.
    const bool is_exact = last_resort || requested || H2References::is_asked();
    _look = new Look(for_room || for_references || (for_hot && !requested), for_room, is_exact);
    make_room_for_bitmap();
    const bool is_early = for_room && (H2Shortage::is_early() || H2Stress);
    // Weak references, and all references to hot objects, are not in the marks.
    begin_look(is_early && !is_exact && !for_references && !for_hot && H2ConcurrentMark::has_marks());
    if (for_hot) {
      H2HotObjects::gather(&places);
    }
    H2ShapeMarking::prepare(is_exact);
    if (H2ConcurrentMark::has_marks() && H2ShapeMarking::is_lost()) {
      begin_look(false);
      H2ShapeMarking::prepare(is_exact);
    }
  } else {
    H2ConcurrentMark::forget();
    H2ShapeMarking::end();
  }
}

void H2Liveness::expect_next() {
  if (H2Stress ? H2Stresser::choose_to_mark_ahead() : H2Shortage::will_look_early(0) && H2Shortage::finds_little_early()) {
    H2ConcurrentMark::begin();
  }
}

void H2Liveness::look(STWGCTimer* timer) {
  if (_look == nullptr) {
    return;
  }
  GCTraceTime(Info, gc, phases) tm("H2 Look", timer);
  H2ShapeMarking::finish();
  H2DeadReferents::clear(_look->_is_exact);
  H2Verifier::verify_reached();
  H2Sweeper sweeper(H2Reached::bits(), _look->_may_split);
  sweeper.sweep();
  H2ShapePacker::repack_all();
  H2ConcurrentMark::look_ends();
  const size_t used = _look->_used_before;
  const size_t freed = H2Heap::regions()->freed() - _look->_freed_before;
  const bool is_for_room = _look->_for_room;
  const bool is_exact = _look->_is_exact;
  const double seconds = (Ticks::now() - _look->_began).seconds();
  delete _look;
  _look = nullptr;
  log_info(gc, h2)("Looked through H2: of %zuK, nobody can reach %zuK; %zu regions freed, %zuK of others cleaned",
                   used / K, (used - sweeper.live_bytes()) / K, freed, sweeper.cleaned_bytes() / K);
  H2Shortage::looked(used, freed * H2RegionSize + sweeper.cleaned_bytes(), is_for_room);
  H2References::looked(is_exact, seconds);
  return_mostly_dead();
}

// A cleaned part has its address space still, and small gaps their memory, too.
void H2Liveness::return_mostly_dead() {
  ResourceMark rm;
  GrowableArray<H2LabelUse> uses;
  H2LabelUse::collect(&uses);
  for (const H2LabelUse& use : uses) {
    if (use._label != H2OwnLabels::Constants && use._dead >= LeastBytes && use._dead >= use._bytes / 4 * 3) {
      H2Returner::propose(use._label);
    }
  }
}
