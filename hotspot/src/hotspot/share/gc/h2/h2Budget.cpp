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
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2DivisionRule.hpp"
#include "gc/h2/h2Exhaustion.hpp"
#include "gc/h2/h2Footprint.hpp"
#include "gc/h2/h2Forecast.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2KeptRule.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/h2/h2Shortage.hpp"
#include "gc/h2/h2SsdWatch.hpp"
#include "gc/h2/h2Unstored.hpp"
#include "gc/h2/h2YoungLoan.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/gc_globals.hpp"
#include "logging/log.hpp"
#include "memory/universe.hpp"
#include "runtime/init.hpp"
#include "runtime/os.hpp"
#include "utilities/ostream.hpp"
#include "utilities/ticks.hpp"

size_t H2Budget::_beside = 0;
size_t H2Budget::_full_gc = 0;
H2Division H2Budget::_division;
size_t H2Budget::_staying = 0;
bool H2Budget::_lends_full_gc = false;

void H2Budget::initialize() {
  // Metaspace, code and threads take a tenth on the safe side, bitmaps of H1 a 32nd of it.
  const size_t limit = H2Limits::memory_limit();
  _beside = MIN2(MAX2(limit / 10, 96 * M) + MaxHeapSize / 32, limit / 2);
}

// Memory of H1 that was touched once is lent only where its pages can be given back.
static bool lends_h1() {
  return H2Limits::shares_budget() && !AlwaysPreTouch;
}

// Returns whether it was said to be far off.
static bool gc_started() {
  H2YoungLoan::end();
  return H2Forecast::gc_started();
}

void H2Budget::prepare_young() {
  const bool was_far = gc_started();
  share();
  if (was_far) {
    wait_for_h2();
  }
}

void H2Budget::prepare_full() {
  const bool was_far = gc_started();
  const bool has_lent = _lends_full_gc;
  _lends_full_gc = false;
  if (can_divide()) {
    divide_for_full_gc();
  }
  if (was_far || has_lent) {
    wait_for_h2();
  }
}

void H2Budget::will_stay(size_t bytes) {
  if (can_divide()) {
    _staying = MAX2(bytes, (size_t)1);
    divide_for_full_gc();
  }
}

// A list of 4 bytes for each object that moves, most of which are larger than 32 bytes,
// and the bitmaps of the marking and the move.
size_t H2Budget::first_full_gc() {
  return _full_gc > 0 ? 0 : Universe::heap()->used() / 8;
}

// Longer than a pause needs to be, if the SSD is slow, but the kernel would kill the process.
void H2Budget::wait_for_h2() {
  static const int StepMillis = 2;
  static const int PatienceMillis = 200;   // without any progress

  H2EngineStats engine;
  if (!H2Limits::shares_budget() || !H2Heap::backend()->stats(&engine)) {
    return;
  }
  const Ticks start = Ticks::now();
  const size_t share = _division._h2;
  size_t least = dram_bytes(engine);
  const size_t before = least;
  for (int idle = 0; least > share && idle < PatienceMillis; idle += StepMillis) {
    os::naked_short_sleep(StepMillis);
    if (H2Heap::backend()->stats(&engine) && dram_bytes(engine) < least) {
      least = dram_bytes(engine);
      idle = 0;
    }
  }
  if (least < before) {
    log_info(gc, h2)("Waited %.3fs for H2 to give back %zuM; its share is %zuM", (Ticks::now() - start).seconds(),
                     (before - least) / M, share / M);
  }
}

size_t H2Budget::dram_bytes(const H2EngineStats& engine) {
  return engine.resident_bytes + engine.mem_used_total + engine.staged_bytes;
}

static size_t resident_young_bytes() {
  return H2Footprint::resident_bytes(H2Heap::collector()->young_memory());
}

// DRAM that the process has beside both heaps; 0 if it cannot be told.
size_t H2Budget::beside_now() {
  H2EngineStats engine;
  if (!H2Limits::shares_budget() || !H2Limits::is_limit_our_own() || !H2Heap::backend()->stats(&engine)) {
    return 0;
  }
  const size_t h1 = H2Heap::collector()->use()._old_used + resident_young_bytes();
  const size_t rss = H2Footprint::counted_bytes();
  return rss - MIN2(rss, h1 + dram_bytes(engine));
}

// For what is not measured: page tables, file pages in use, what comes and goes between two GCs.
static size_t margin() {
  return MAX2(H2Limits::memory_limit() / 32, 16 * M);
}

// Follows what is measured up at once, down within some measurements: what a thread needs
// for a moment, it may need again.
static size_t follow(size_t old, size_t measured) {
  return measured >= old ? measured : old - (old - measured) / 4;
}

static H2KeptSnapshot kept(const H2EngineStats& engine) {
  H2KeptSnapshot snapshot;
  snapshot._resident = engine.resident_bytes;
  snapshot._least_resident = H2Limits::least_resident_bytes();
  snapshot._staged = engine.staged_bytes;
  snapshot._pool = engine.mem_used_total;
  snapshot._stored = engine.orig_data_size - MIN2(engine.bd_data_size, engine.orig_data_size);
  snapshot._not_stored = H2Unstored::bytes(engine);
  snapshot._sampled_cost = H2Unstored::cost();
  return snapshot;
}

// DRAM that H2 has when it has given back all that it can.
size_t H2Budget::kept_bytes(const H2EngineStats& engine) {
  return H2SsdWatch::takes_writes() ? H2Limits::least_bytes() : H2KeptRule::bytes(kept(engine));
}

// False if it cannot be told.
bool H2Budget::find_needs(H2NeedsSnapshot* needs) {
  H2EngineStats engine;
  if (!H2Limits::shares_budget() || !H2Limits::is_limit_our_own() || !H2Heap::backend()->stats(&engine)) {
    return false;
  }
  needs->_anonymous = H2Footprint::anonymous_bytes();
  needs->_h2 = dram_bytes(engine);
  needs->_h2_kept = kept_bytes(engine);
  needs->_young = H2Heap::collector()->use()._young_committed - lent_young_bytes();
  needs->_young_touched = resident_young_bytes();
  needs->_promotion = expected_promotion();
  needs->_full_gc = _full_gc;
  needs->_margin = margin();
  return true;
}

size_t H2Budget::overdrawn_bytes(size_t limit) {
  H2NeedsSnapshot needs;
  return find_needs(&needs) ? H2DivisionRule::overdrawn_bytes(needs, limit) : 0;
}

size_t H2Budget::left_bytes() {
  H2NeedsSnapshot needs;
  return find_needs(&needs) ? H2DivisionRule::left_bytes(needs, H2Limits::memory_limit()) : SIZE_MAX;
}

// With an SSD, H2 gives back what it can, and -Xmx bounds the rest: so allocations fail only where the kernel would kill.
void H2Budget::full_finished() {
  const size_t limit = H2SsdWatch::takes_writes() ? (size_t)os::physical_memory() : H2Limits::memory_limit();
  H2Exhaustion::full_finished(overdrawn_bytes(limit) > 0, limit);
}

void H2Budget::measure() {
  const size_t now = beside_now();
  if (now > 0) {
    _beside = follow(_beside, now + margin());
  }
}

void H2Budget::measure_full_gc() {
  const size_t now = beside_now();
  if (now > 0) {
    const size_t more = now + margin() - MIN2(now + margin(), _beside);
    _full_gc = MAX2(follow(_full_gc, more), (size_t)M);
    log_debug(gc, h2)("Memory: beside both heaps %zuM while objects move, %zuM more than else", now / M, more / M);
  }
}

// Bytes that the next young GC promotes: as much as it lately did, and some more.
size_t H2Budget::expected_promotion() {
  const H2HeapUse h1 = H2Heap::collector()->use();
  const size_t expected = MAX2(h1._promoted_lately, h1._young_committed / 8);
  return MIN2(expected, h1._old_max - h1._old_used);
}

// The old generation grows by so much until the next GC has ended.
size_t H2Budget::expected_growth() {
  if (AlwaysPreTouch) {
    return 0;
  }
  if (_staying > 0) {
    return _staying - MIN2(_staying, H2Heap::collector()->use()._old_used);
  }
  return H2Forecast::is_gc_far() ? 0 : expected_promotion();
}

// Bytes that H1 holds, or may hold before the next GC. Where its pages are in memory from the start, it has nothing to lend.
size_t H2Budget::own_h1() {
  const H2HeapUse h1 = H2Heap::collector()->use();
  const size_t old = AlwaysPreTouch ? h1._old_committed : h1._old_used;
  return h1._young_committed - MIN2(h1._young_committed, lent_young_bytes()) + old;
}

size_t H2Budget::expected_h1() {
  const size_t own = own_h1();
  return own - MIN2(own, H2YoungLoan::bytes()) + expected_growth();
}

// Between moves the engine keeps a few buffers; after one, more until their contents are compressed.
size_t H2Budget::staging_now() {
  static const size_t Kept = 4 * M;

  H2EngineStats engine;
  const size_t most = H2Limits::staging_bytes();
  return H2Heap::backend()->stats(&engine) ? clamp((size_t)engine.staging_bytes, MIN2(Kept, most), most) : most;
}

size_t H2Budget::h2_bytes() {
  return h2_bytes_beside(expected_h1() + _division._beside + _division._staging);
}

size_t H2Budget::h2_bytes_beside_full_h1() {
  return h2_bytes_beside(MaxHeapSize + _division._beside + _division._staging);
}

// Bytes that the limit leaves beside H1 and all else, which take so much.
size_t H2Budget::h2_bytes_beside(size_t taken) {
  return H2DivisionRule::h2_bytes(H2Limits::memory_limit(), taken, H2Limits::least_bytes());
}

void H2Budget::share() {
  if (!can_divide()) {
    return;
  }
  if (H2Path == nullptr && !_lends_full_gc) {
    // The pool keeps its objects, and to compress pages takes time: so a full GC finds no memory that was lent.
    divide_for_full_gc();
  } else {
    divide(_beside, staging_now());
  }
}

size_t H2Budget::beside_in_full_gc() {
  return _beside + MAX2(_full_gc, first_full_gc());
}

void H2Budget::divide_for_full_gc() {
  divide(beside_in_full_gc(), H2Limits::staging_bytes());
}

size_t H2Budget::lacks_for_move(size_t bytes) {
  H2EngineStats engine;
  if (!can_divide() || !lends_h1() || !H2Heap::backend()->stats(&engine)) {
    return 0;
  }
  const size_t needed = dram_bytes(engine) + bytes;
  return needed - MIN2(needed, _division._h2);
}

void H2Budget::divide_for_move(size_t stays) {
  // Compaction has pages of its own for a moment, where its order is not that of addresses.
  static const size_t Compaction = 8 * M;

  if (!can_divide() || !lends_h1()) {
    return;
  }
  const H2HeapUse h1 = H2Heap::collector()->use();
  // A bitmap has a bit for each word.
  const size_t bitmap = H2Shortage::will_look_early(h1._old_used) ? (H2Heap::used() + h1._old_used) / BitsPerWord : 0;
  const size_t beside = beside_in_full_gc() + bitmap;
  // Until H1 is compact, what is young lies where it is, and then in the old generation, too.
  const size_t now = resident_young_bytes() + MAX2(h1._old_used, stays) + Compaction;
  // Then the old generation has what stays, and eden is about to fill.
  const size_t young = h1._young_committed;
  const size_t then = young - MIN2(young, lent_young_bytes()) + stays + MAX2(h1._promoted_lately, young / 8);
  const size_t h2 = h2_bytes_beside(MAX2(now, then) + beside + H2Limits::staging_bytes());
  if (h2 > _division._h2) {
    log_debug(gc, h2)("Memory: H2 %zuM instead of %zuM until the end of this GC; H1 %zuM now, %zuM then", h2 / M, _division._h2 / M,
                      now / M, then / M);
  }
  H2Heap::backend()->set_dram_limit(MAX2(h2, _division._h2));
}

// Whether H2 can be as small as a full GC wants it, though it has more until then.
bool H2Budget::can_give_back(const H2EngineStats& engine) {
  if (H2SsdWatch::takes_writes()) {
    return true;
  }
  const size_t h1 = own_h1() + expected_promotion();
  const size_t left = h2_bytes_beside(h1 + beside_in_full_gc() + H2Limits::staging_bytes());
  log_trace(gc, h2)("Memory: H2 can be as small as %zuM; a full GC leaves it %zuM", H2KeptRule::bytes(kept(engine)) / M, left / M);
  return H2KeptRule::may_borrow(kept(engine), left);
}

// Each second, while no GC runs. Where H2 could not give memory back, nothing is lent that a GC may want.
bool H2Budget::look(const H2EngineStats& engine) {
  _lends_full_gc = false;
  if (!can_divide() || !can_give_back(engine)) {
    H2Forecast::expect_gc();
    H2YoungLoan::end();
    return false;
  }
  H2Forecast::look();
  // A GC that is near would wait while pages are compressed.
  _lends_full_gc = H2Path == nullptr && (H2Forecast::is_gc_far() || H2KeptRule::gives_back_at_once(kept(engine)));
  return lends_h1() && H2YoungLoan::look(engine);
}

// While the heap is being made there is nothing to share yet.
bool H2Budget::can_divide() {
  return H2Limits::shares_budget() && H2Heap::backend() != nullptr && is_init_completed();
}

void H2Budget::divide(size_t beside, size_t staging) {
  const size_t h1 = expected_h1();
  _division = H2Division{H2Limits::memory_limit(), h1, beside, staging, h2_bytes_beside(h1 + beside + staging)};
  log_debug(gc, h2)("Memory: H2 %zuM of %zuM; H1 %zuM, beside %zuM, staging %zuM", _division._h2 / M,
                    _division._limit / M, _division._h1 / M, _division._beside / M, _division._staging / M);
  H2Heap::backend()->set_dram_limit(_division._h2);
}

void H2Budget::print_on(outputStream* st) {
  if (_division._limit > 0) {
    st->print_cr("  memory limit %zuK: H1 %zuK, beside the heaps %zuK, staging %zuK, H2 %zuK",
                 _division._limit / K, _division._h1 / K, _division._beside / K, _division._staging / K, _division._h2 / K);
  }
}

size_t H2Budget::lent_young_bytes() {
  return lends_h1() ? H2Heap::collector()->spare_young_bytes() : 0;
}

void H2Budget::give_back_young() {
  if (lends_h1()) {
    H2Heap::collector()->give_back_young();
  }
}

void H2Budget::give_back_eden() {
  if (lends_h1()) {
    H2Heap::collector()->give_back_eden(0);
  }
}

void H2Budget::give_back_old() {
  if (lends_h1()) {
    H2Heap::collector()->give_back_old();
  }
}

// The lists of a full GC are as long as what lives, a compiler's arenas take tens of MiB, and
// malloc keeps what was freed. Kept memory would count as taken beside both heaps.
void H2Budget::give_back_malloc() {
  if (H2Limits::shares_budget() && os::can_trim_native_heap()) {
    os::trim_native_heap();
  }
}
