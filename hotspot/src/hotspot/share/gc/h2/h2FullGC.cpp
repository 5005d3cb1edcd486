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
#include "gc/h2/h2Allocator.hpp"
#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2ConcurrentMark.hpp"
#include "gc/h2/h2Critical.hpp"
#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2Director.hpp"
#include "gc/h2/h2Due.hpp"
#include "gc/h2/h2FullGC.hpp"
#include "gc/h2/h2GroupFinder.hpp"
#include "gc/h2/h2Gathered.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Held.hpp"
#include "gc/h2/h2Holders.hpp"
#include "gc/h2/h2HotObjects.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/h2/h2LimitWatch.hpp"
#include "gc/h2/h2Liveness.hpp"
#include "gc/h2/h2Marking.hpp"
#include "gc/h2/h2Mover.hpp"
#include "gc/h2/h2MoveRoom.hpp"
#include "gc/h2/h2PerfData.hpp"
#include "gc/h2/h2References.hpp"
#include "gc/h2/h2Referents.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2Returner.hpp"
#include "gc/h2/h2Sampler.hpp"
#include "gc/h2/h2Selector.hpp"
#include "gc/h2/h2ShapeBatch.hpp"
#include "gc/h2/h2ShapeMaker.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/h2/h2Shortage.hpp"
#include "gc/h2/h2Stats.hpp"
#include "gc/h2/h2Strings.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/h2/h2Targets.hpp"
#include "gc/h2/h2Verifier.hpp"
#include "gc/h2/h2Written.hpp"
#include "gc/h2/h2WrittenClasses.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/gc_globals.hpp"
#include "gc/shared/gcCause.hpp"
#include "gc/shared/gcTraceTime.inline.hpp"
#include "gc/shared/workerThread.hpp"
#include "logging/log.hpp"
#include "memory/universe.hpp"

// Lives from select to copy.
class H2Move : public CHeapObj<mtGC> {
  H2Allocator      _allocator;
  H2GroupFinder         _finder;
  H2PreservedMarks _marks;
  H2Mover*         _mover;

 public:
  H2Move(uint num_workers, size_t budget) :
    _allocator(budget), _finder(num_workers, budget >> LogHeapWordSize), _marks(), _mover(nullptr) {}
  ~H2Move() { delete _mover; }

  H2Allocator* allocator() { return &_allocator; }
  H2GroupFinder* finder()       { return &_finder; }
  H2Mover* mover()         { return _mover; }

  void assign(uint num_workers) {
    _finder.finish(&_marks);
    _mover = new H2Mover(&_allocator, &_finder, num_workers, _marks);
    _mover->assign();
  }
};

static H2Adjuster* _adjuster = nullptr;  // from prepare to finish
static H2Move* _move = nullptr;

static uint num_workers() {
  return H2Heap::collector()->workers()->active_workers();
}

// Metaspace clears soft references, too, but gains nothing by a move.
static bool is_short_of_heap() {
  return GCCause::is_allocation_failure_gc(Universe::heap()->gc_cause());
}

void H2FullGC::prepare(STWGCTimer* timer, bool last_resort) {
  if (H2Heap::is_enabled()) {
    H2Critical::end_all();
    const double since_last = H2Director::seconds_since_full();
    H2Director::full_started();
    H2Written::note();
    H2Budget::prepare_full();
    H2ShapeMaker::prepare();
    H2Held::renew_dependencies();
    H2Returner::prepare(timer);
    H2Referents::prepare(last_resort || SoftRefLRUPolicyMSPerMB == 0);
    H2Liveness::prepare(last_resort && is_short_of_heap(), since_last);
    H2Returner::redirect_code();
    H2Held::prepare();
    H2Marking::prepare();
    _adjuster = new H2Adjuster();
  }
}

// A byte of what moves takes a sixteenth of a byte at best: so much may be found.
static const uint LeastCost = 1000 / 16;

// The bytes for which H2 has address space, and its backend memory if a thousand of them take cost. Shapes take memory beside
// it; an SSD makes room for that.
static size_t budget(uint cost) {
  const size_t open = H2Heap::capacity() - H2Heap::regions()->in_use() * H2RegionSize;
  const size_t capacity = H2Heap::backend()->capacity(cost);
  const size_t fits = H2Path == nullptr && H2Limits::shares_budget() ? H2Shapes::fits(capacity, cost) : capacity;
  return MIN2(fits, open + H2Allocator::longest_run() * H2RegionSize);
}

// The same for what was found, judged by how that compresses.
static size_t budget_for(H2GroupFinder* finder) {
  const size_t found = finder->words() << LogHeapWordSize;
  const size_t raw = budget(1000);
  if (found + found / 32 <= raw && !H2Due::is_possible()) {
    return raw;
  }
  const Ticks start = Ticks::now();
  const H2Sample sample = H2Sampler::sample(finder, num_workers());
  H2Due::will_move(found, sample._raw_part, sample._cost / 1000.0);
  const size_t bytes = budget(sample._cost);
  log_info(gc, h2)("Of 1000 bytes %u are left when they are compressed: room for %zuM of %zuM (sampled in %.3fs)",
                   sample._cost, bytes / M, found / M, (Ticks::now() - start).seconds());
  return bytes;
}

// Of H1, and not found.
static size_t live_bytes(const H2GroupFinder* finder) {
  const size_t live = H2Heap::collector()->marked_bytes();
  const size_t found = finder == nullptr ? 0 : finder->words() << LogHeapWordSize;
  return live - MIN2(live, found);
}

// A program that tags may move a part of H1, and goes on with the rest.
static void will_stay(size_t bytes) {
  if (!H2Tags::are_used()) {
    H2Budget::will_stay(bytes);
  }
}

void H2FullGC::select(STWGCTimer* timer, bool last_resort) {
  if (!H2Heap::is_enabled()) {
    return;
  }
  GCTraceTime(Info, gc, phases) tm("H2 Select", timer);
  H2References::marked();
  H2Returner::redirect_weak_handles();
  H2Marking::free_dead_regions();
  H2Liveness::look(timer);
  H2Allocator::forget_freed();
  H2Tags::prune();
  select_what_moves(last_resort);
  H2Liveness::expect_next();
}

void H2FullGC::select_what_moves(bool last_resort) {
  H2Selector selector(last_resort && is_short_of_heap());
  if (!selector.has_work()) {
    return;
  }
  const size_t marked = H2Heap::collector()->marked_bytes();
  const size_t least = H2Heap::backend()->unit_bytes();
  will_stay(0);
  size_t bytes = budget(LeastCost);
  if (bytes < least) {
    // It may be all that H1 has.
    H2MoveRoom::lend(marked, marked);
    bytes = budget(LeastCost);
  }
  if (bytes < least) {
    will_stay(live_bytes(nullptr));
    H2Decisions::note("There is no memory for what moves; nothing does in this GC");
    H2Shortage::refused();
    H2Tags::postpone();
    return;
  }
  if (!H2Held::is_initialized()) {
    log_warning(gc, h2)("No memory for the bitmaps of a move; nothing moves in this GC");
    H2Tags::postpone();
    return;
  }
  H2Holders().add_all();
  H2Budget::wait_for_h2();
  _move = new H2Move(num_workers(), bytes);
  selector.find_groups(_move->finder(), bytes);
  will_stay(live_bytes(_move->finder()));
  H2MoveRoom::lend(marked, _move->finder()->words() << LogHeapWordSize);
  _move->allocator()->set_budget(budget_for(_move->finder()));
  _move->assign(num_workers());
  H2MoveRoom::settle(marked, _move->mover()->words() << LogHeapWordSize);
  selector.finish(*_move->finder(), *_move->mover());
  H2Budget::measure_full_gc();
}

void H2FullGC::adjust_work(uint worker_id) {
  if (H2Heap::is_enabled()) {
    _adjuster->work();
  }
}

void H2FullGC::copy(STWGCTimer* timer) {
  H2Gathered::slide();
  if (_move == nullptr) {
    return;
  }
  GCTraceTime(Info, gc, phases) tm("H2 Copy", timer);
  const Ticks start = Ticks::now();
  H2Mover* const mover = _move->mover();
  mover->copy();
  const double seconds = (Ticks::now() - start).seconds();
  H2Stats::record_move(mover->objects(), mover->words() << LogHeapWordSize, seconds);
  log_info(gc, h2)("Moved %zu objects, %zuK in %.3fs, %zu objects found no room, %u of %u regions in use",
                   mover->objects(), (mover->words() << LogHeapWordSize) / K, seconds, mover->refused(),
                   H2Heap::regions()->in_use(), H2Heap::regions()->length());
  if (mover->refused() > 0) {
    H2Shortage::refused();
  }
  delete _move;
  _move = nullptr;
}

bool H2FullGC::has_to_look() {
  return H2Heap::is_enabled() && H2References::has_to_look();
}

void H2FullGC::finish() {
  if (!H2Heap::is_enabled()) {
    return;
  }
  delete _adjuster;
  _adjuster = nullptr;
  H2Held::clear();
  H2Referents::full_finished();
  H2Returner::finish();
  H2HotObjects::finish();
  H2Tags::prune();
  H2Strings::prune();
  H2ShapeUnpacker::free_all();
  H2Targets::prune();
  H2Heap::collector()->full_finished();
  H2WrittenClasses::full_finished();
  H2Written::begin(H2Heap::collector()->old_survivors(), H2Heap::collector()->is_young_empty());
  H2Budget::give_back_old();
  H2Budget::give_back_young();
  if (H2LimitWatch::has_fallen()) {
    // Eden is touched again soon, so it keeps its pages else.
    H2Budget::give_back_eden();
  }
  H2Budget::give_back_malloc();
  H2Budget::full_ends();
  H2Budget::measure();
  H2Budget::share();
  H2Budget::full_finished();
  H2LimitWatch::full_finished();
  H2Director::full_finished();
  H2Heap::backend()->epoch();
  H2PerfData::update();
  H2ConcurrentMark::full_finished();
  H2Verifier::verify("full");
}
