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

#include "gc/h2/h2AutoArrays.hpp"
#include "gc/h2/h2Candidates.inline.hpp"
#include "gc/h2/h2Cards.inline.hpp"
#include "gc/h2/h2Mover.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Returner.hpp"
#include "gc/h2/h2Selector.hpp"
#include "gc/h2/h2Shared.inline.hpp"
#include "gc/h2/h2Stresser.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/parallel/parallelScavengeHeap.inline.hpp"
#include "gc/parallel/psParallelCompact.inline.hpp"
#include "logging/log.hpp"
#include "oops/weakHandle.inline.hpp"

// As many as a pause has memory for, 16 bytes each.
static const int MaxRest = 1024 * K;

H2Selector::H2Selector(bool last_resort) :
  _asked(H2Tags::has_work()), _occupied(may_move_unasked() && (last_resort || is_occupied())), _by_occupancy(), _with_more_rest() {}

bool H2Selector::may_move_unasked() {
  return H2Auto || H2Tags::count() > 0;
}

bool H2Selector::is_occupied() {
  size_t live_words = 0;
  for (uint id = PSParallelCompact::old_space_id; id < PSParallelCompact::last_space_id; id++) {
    live_words += PSParallelCompact::summary_data().live_words_in_space(PSParallelCompact::space(PSParallelCompact::SpaceId(id)));
  }
  const size_t live = live_words << LogHeapWordSize;
  const size_t limit = ParallelScavengeHeap::heap()->old_gen()->max_gen_size() / 100 * H2MoveThreshold;
  log_debug(gc, h2)("Live %zuK, threshold %zuK", live / K, limit / K);
  return live > limit;
}

bool H2Selector::has_work() const {
  return _asked || _occupied || H2Stress;
}

void H2Selector::roots_of(jlong label, Roots* roots) {
  for (const H2WeakRoot& tag : *H2Tags::all()) {
    if (tag._label == label) {
      roots->append(H2Tracer::Root{tag._object.peek(), label});
    }
  }
}

// Finds backward references, which marking has followed.
class H2RestVisitor : public StackObj {
  GrowableArrayCHeap<H2Tracer::Root, mtGC>* const _roots;
  const jlong                                     _label;

 public:
  static const bool Concurrent = false;
  static bool wants(H2Cards::CardValue v) { return v != CardTable::clean_card_val(); }

  H2RestVisitor(GrowableArrayCHeap<H2Tracer::Root, mtGC>* roots, jlong label) : _roots(roots), _label(label) {}

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
    if (!H2Shared::contains(obj) && H2Candidates::is_movable(obj->klass(), obj->mark()) && _roots->length() < MaxRest) {
      _roots->append(H2Tracer::Root{obj, _label});
    }
    return H2Cards::Old;
  }
};

void H2Selector::add_rest(Roots* roots) {
  H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->length(); i++) {
    H2Region* const region = regions->at(i);
    if (!region->is_in_use() || region->is_returning() || !H2Tags::has_to_move(region->label())) {
      continue;
    }
    if (roots->length() < MaxRest) {
      H2RestVisitor visitor(roots, region->label());
      H2Cards::scan(region, &visitor);
    }
    if (roots->length() >= MaxRest) {
      _with_more_rest.append_if_missing(region->label());
    }
  }
}

void H2Selector::trace_asked(H2Tracer* tracer) {
  Roots roots;
  add_rest(&roots);
  const int rest = roots.length();
  // Behind the rest, as the last roots are claimed first: a root keeps its own label.
  for (const H2WeakRoot& tag : *H2Tags::all()) {
    if (H2Tags::has_to_move(tag._label)) {
      roots.append(H2Tracer::Root{tag._object.peek(), tag._label});
    }
  }
  const size_t words = tracer->trace(roots);
  log_info(gc, h2)("Asked for: %d roots, %d references from H2, %zuK", roots.length() - rest, rest, (words << LogHeapWordSize) / K);
}

void H2Selector::trace_oldest(H2Tracer* tracer, size_t max_bytes) {
  GrowableArrayCHeap<jlong, mtGC> done;
  for (const H2WeakRoot& tag : *H2Tags::all()) {
    if ((tracer->words() << LogHeapWordSize) >= max_bytes) {
      return;
    }
    if (!H2Returner::has_returned(tag._label) && done.append_if_missing(tag._label)) {
      Roots roots;
      roots_of(tag._label, &roots);
      _by_occupancy.append(tag._label);
      const size_t words = tracer->trace(roots);
      log_info(gc, h2)("Occupancy: label " JLONG_FORMAT ", %d roots, %zuK", tag._label, roots.length(), (words << LogHeapWordSize) / K);
    }
  }
}

void H2Selector::trace_groups(H2Tracer* tracer, size_t max_bytes) {
  if (_asked) {
    trace_asked(tracer);
  }
  if (_occupied) {
    trace_oldest(tracer, max_bytes);
    if (H2Auto) {
      H2AutoArrays::trace(tracer);
    }
  }
  if (H2Stress) {
    H2Stresser::trace(tracer);
  }
}

void H2Selector::finish(const H2Tracer& tracer, const H2Mover& mover) {
  GrowableArrayCHeap<jlong, mtGC> unfinished;
  for (int i = 0; i < tracer.labels().length(); i++) {
    const jlong label = tracer.labels().at(i);
    if ((tracer.was_cut(i) || mover.has_refused(i)) && (H2Tags::has_to_move(label) || _by_occupancy.contains(label))) {
      unfinished.append(label);
    }
  }
  for (jlong label : _with_more_rest) {
    unfinished.append_if_missing(label);
  }
  H2Tags::finish(unfinished);
}
