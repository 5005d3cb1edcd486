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
#include "gc/h2/h2Allocator.hpp"
#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Collector.inline.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2ObjectBits.inline.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Sweeper.hpp"
#include "gc/shared/cardTable.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/workerThread.hpp"
#include "memory/universe.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"
#include "runtime/mutexLocker.hpp"
#include "utilities/align.hpp"
#include "utilities/copy.hpp"

static Mutex* parts_lock() {
  static Mutex* const lock = new Mutex(Mutex::nosafepoint, "H2Sweeper_lock");
  return lock;
}

class H2SweepTask : public WorkerTask {
  H2Sweeper* const _sweeper;

 public:
  explicit H2SweepTask(H2Sweeper* sweeper) : WorkerTask("H2 sweep"), _sweeper(sweeper) {}

  void work(uint worker_id) override {
    _sweeper->_claimer.each([this](H2Region* region) {
      if (!region->is_returning()) {
        _sweeper->sweep(region);
      }
    });
  }
};

H2Sweeper::H2Sweeper(const H2ObjectBits& reached, bool may_split) :
  _reached(reached), _may_split(may_split), _claimer(), _least_gap(MAX2(H2Allocator::longest_run() / 8, 1u)),
  _live_words(NEW_C_HEAP_ARRAY(size_t, H2Heap::regions()->limit(), mtGC)),
  _split_end(NEW_C_HEAP_ARRAY(uint, H2Heap::regions()->limit(), mtGC)),
  _dead_parts(), _cleaned_bytes(0), _live_bytes(0) {
  memset(_live_words, 0, H2Heap::regions()->limit() * sizeof(size_t));
  memset(_split_end, 0, H2Heap::regions()->limit() * sizeof(uint));
}

H2Sweeper::~H2Sweeper() {
  FREE_C_HEAP_ARRAY(size_t, _live_words);
  FREE_C_HEAP_ARRAY(uint, _split_end);
}

// The class may be unloaded, and must not be read.
static bool is_primitive_array_class(const Klass* klass) {
  for (int type = T_BOOLEAN; type <= T_LONG; type++) {
    if (klass == Universe::typeArrayKlass((BasicType)type)) {
      return true;
    }
  }
  return false;
}

// A larger array that is dead is worth to compress its unit again.
static const size_t MostPlainBytes = 256;

// Is all of [start, end) one small array that refers to nothing? It can stay as it is, and its
// page unwritten.
static bool is_plain(HeapWord* start, HeapWord* end) {
  if (pointer_delta(end, start, 1) > MostPlainBytes) {
    return false;
  }
  const oop obj = cast_to_oop(start);
  if (!is_primitive_array_class(obj->klass_without_asserts())) {
    return false;
  }
  return start + obj->size() == end;
}

// Has an earlier look, or a move, left [start, end) like that?
static bool is_filler(HeapWord* start, HeapWord* end) {
  const oop obj = cast_to_oop(start);
  return obj->klass_without_asserts() == Universe::fillerArrayKlass() && start + obj->size() == end;
}

// Of a filler only the header is read. Zeros take next to no memory once the unit is compressed
// again, which it has to be, as it was written. So dead objects among live ones cost little.
static void clear_body(HeapWord* start, HeapWord* from, HeapWord* end) {
  static const size_t MaxHeaderWords = 3;

  HeapWord* const body = MAX2(from, MIN2(start + MaxHeaderWords, end));
  if (body < end) {
    Copy::zero_to_words(body, pointer_delta(end, body));
  }
}

void H2Sweeper::discard(HeapWord* start, HeapWord* end) {
  if (start >= end) {
    return;
  }
  const size_t bytes = pointer_delta(end, start, 1);
  H2Heap::backend()->discard(pointer_delta(start, H2Heap::start(), 1), bytes);
  Atomic::add(&_cleaned_bytes, bytes, memory_order_relaxed);
}

void H2Sweeper::fill(HeapWord* start, HeapWord* end, bool is_object_start) {
  if (start == end || (is_object_start && is_filler(start, end))) {
    return;
  }
  const size_t unit = H2Heap::backend()->unit_bytes();
  HeapWord* const from = align_up(start, unit);
  HeapWord* const to = align_down(end, unit);
  if (from < to) {
    // Before the filler's header, which may lie in there, is written.
    discard(from, to);
  } else if (is_object_start && is_plain(start, end)) {
    return;
  }
  CollectedHeap::fill_with_objects(start, pointer_delta(end, start), false /* zap */);
  if (start + cast_to_oop(start)->size() == end) {
    clear_body(start, start, from < to ? from : end);
    clear_body(start, from < to ? to : end, end);
  }
  for (HeapWord* p = start; p < end; ) {
    HeapWord* const next = p + cast_to_oop(p)->size();
    H2Heap::starts()->update_for_block(p, next);
    p = next;
  }
}

bool H2Sweeper::add_dead_part(const H2Region* region, uint first, uint end) {
  if (!_may_split || first >= end) {
    return false;
  }
  const bool is_inside = first > region->head() && end < region->head() + region->run();
  if (is_inside && end - first < _least_gap) {
    return false;
  }
  MutexLocker ml(parts_lock(), Mutex::_no_safepoint_check_flag);
  _dead_parts.append(Part{first, end});
  return true;
}

static bool can_fill(HeapWord* start, HeapWord* end) {
  return start == end || pointer_delta(end, start) >= CollectedHeap::min_fill_size();
}

// [start, end) lies before a live object, and after one or at the bottom.
void H2Sweeper::clean(H2Region* region, HeapWord* start, HeapWord* end) {
  H2RegionTable* const regions = H2Heap::regions();
  uint first = regions->index(start);
  uint last = regions->index(end);
  while (start > regions->address(first) || !can_fill(start, regions->address(first))) {
    first++;
  }
  if (last > first && !can_fill(regions->address(last), end)) {
    last--;
  }
  if (add_dead_part(region, first, last)) {
    fill(start, regions->address(first));
    // A dead object may reach over that address.
    fill(regions->address(last), end, false /* is_object_start */);
  } else {
    fill(start, end);
  }
}

// What lies behind the last live object: the row of objects ends earlier.
void H2Sweeper::clean_tail(H2Region* region, HeapWord* start) {
  if (!_may_split) {
    fill(start, region->top());
    return;
  }
  H2RegionTable* const regions = H2Heap::regions();
  HeapWord* const old_top = region->top();
  HeapWord* const top = H2Allocator::pad_end(start);
  assert(top <= old_top, "the last object's unit");
  fill(start, top);
  const uint first = regions->index(top - 1) + 1;
  if (top < old_top) {
    // What lies behind is given back when it is freed.
    discard(top, MIN2(old_top, regions->address(first)));
    memset(H2Heap::cards()->byte_for(top), CardTable::clean_card_val(), pointer_delta(old_top, top, 1) >> CardTable::card_shift());
    regions->set_top(region, top);
    if (region->is_shared()) {
      region->parts()->cut(old_top, top);
    }
  }
  add_dead_part(region, first, region->head() + region->run());
}

void H2Sweeper::sweep(H2Region* region) {
  HeapWord* end = region->bottom();
  if (region->is_shared()) {
    region->parts()->begin_look(region->top());
  }
  region->forget_loaders();
  const ClassLoaderData* loader = nullptr;
  _reached.iterate(MemRegion(region->bottom(), region->top()), [&](oop obj) {
    HeapWord* const start = cast_from_oop<HeapWord*>(obj);
    if (end < start) {
      clean(region, end, start);
    }
    const size_t words = obj->size();
    if (obj->klass()->class_loader_data() != loader) {
      loader = obj->klass()->class_loader_data();
      region->add_loader(obj->klass()->class_loader_data());
    }
    _live_words[H2Heap::regions()->index(start)] += words;
    if (region->is_shared()) {
      region->parts()->add_live(start, words);
    }
    end = start + words;
  });
  assert(end > region->bottom(), "nothing lives in region %u", region->head());
  region->keep_roots([&](HeapWord* p) { return _reached.contains(cast_to_oop(p)); });
  clean_tail(region, end);
}

void H2Sweeper::free_dead_part(Part part) {
  H2RegionTable* const regions = H2Heap::regions();
  const uint head = regions->at(part._first)->head();
  if (_split_end[head] == 0) {
    _split_end[head] = head + regions->at(head)->run();
    // Each part takes this along, and so will depend on the others.
    regions->at(head)->add_dependency(head);
  }
  regions->free_part(part._first, part._end);
}

// Last things first: what is left of a run has its head until the first part goes.
void H2Sweeper::free_dead_parts() {
  _dead_parts.sort([](Part* a, Part* b) { return a->_first > b->_first ? -1 : 1; });
  for (const Part& part : _dead_parts) {
    free_dead_part(part);
  }
}

// Calls f with the heads of what is left of a run that was split.
template <typename Function>
void H2Sweeper::each_part(uint old_head, Function f) const {
  H2RegionTable* const regions = H2Heap::regions();
  for (uint i = old_head; i < _split_end[old_head]; i++) {
    if (regions->at(i)->is_in_use()) {
      f(i);
    }
  }
}

bool H2Sweeper::is_affected(const H2Region* region) const {
  for (uint head : *region->dependencies()) {
    if (_split_end[head] != 0) {
      return true;
    }
  }
  return false;
}

// A dependency on a run that was split becomes one on each part of it.
void H2Sweeper::renew_dependencies(H2Region* region) {
  if (!is_affected(region)) {
    return;
  }
  H2RegionSet renewed;
  for (uint head : *region->dependencies()) {
    if (_split_end[head] == 0) {
      renewed.add(head);
    } else {
      each_part(head, [&](uint part) { renewed.add(part); });
    }
  }
  region->forget_dependencies();
  for (uint head : *renewed.list()) {
    if (head != region->head()) {
      region->add_dependency(head);
    }
  }
}

void H2Sweeper::count_dead(H2Region* region) {
  size_t live = 0;
  for (uint i = region->head(); i < region->head() + region->run(); i++) {
    live += _live_words[i];
  }
  region->set_dead_bytes(region->used_bytes() - (live << LogHeapWordSize));
}

void H2Sweeper::sweep() {
  H2RegionTable* const regions = H2Heap::regions();
  H2SweepTask task(this);
  H2Heap::collector()->workers()->run_task(&task);
  free_dead_parts();
  for (uint i = 0; i < regions->limit(); i++) {
    H2Region* const region = regions->at(i);
    if (!region->is_in_use()) {
      continue;
    }
    if (!region->is_returning()) {
      renew_dependencies(region);
      count_dead(region);
    }
    _live_bytes += region->used_bytes() - region->dead_bytes();
  }
}
