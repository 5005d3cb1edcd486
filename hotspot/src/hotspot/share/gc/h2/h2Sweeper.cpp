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

#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2RegionClaimer.inline.hpp"
#include "gc/h2/h2RegionFreer.hpp"
#include "gc/h2/h2RegionSweep.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Sweeper.hpp"
#include "gc/shared/workerThread.hpp"

class H2SweepTask : public WorkerTask {
  H2Sweeper* const _sweeper;

 public:
  explicit H2SweepTask(H2Sweeper* sweeper) : WorkerTask("H2 sweep"), _sweeper(sweeper) {}

  void work(uint worker_id) override {
    _sweeper->_claimer.each([this](H2Region* region) {
      if (!region->is_returning()) {
        H2RegionSweep(_sweeper->_reached, &_sweeper->_result, region).sweep();
      }
    });
  }
};

H2Sweeper::H2Sweeper(const H2ObjectBits& reached, bool may_split) :
  _reached(reached), _claimer(), _split_end(NEW_C_HEAP_ARRAY(uint, H2Heap::regions()->limit(), mtGC)), _result(may_split), _live_bytes(0) {
  memset(_split_end, 0, H2Heap::regions()->limit() * sizeof(uint));
}

H2Sweeper::~H2Sweeper() {
  FREE_C_HEAP_ARRAY(uint, _split_end);
}

void H2Sweeper::free_dead_part(H2SweepResult::Part part) {
  H2RegionTable* const regions = H2Heap::regions();
  const uint head = regions->at(part._first)->head();
  if (_split_end[head] == 0) {
    _split_end[head] = head + regions->at(head)->run();
    // Each part takes this along, and so will depend on the others.
    regions->at(head)->add_dependency(head);
  }
  H2RegionFreer(regions).free_part(part._first, part._end);
}

// Last things first: what is left of a run has its head until the first part goes.
void H2Sweeper::free_dead_parts() {
  typedef H2SweepResult::Part Part;
  _result.dead_parts()->sort([](Part* a, Part* b) { return a->_first > b->_first ? -1 : 1; });
  for (const Part& part : *_result.dead_parts()) {
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
    live += _result.live_words(i);
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
