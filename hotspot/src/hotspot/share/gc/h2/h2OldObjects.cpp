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
#include "gc/h2/h2Collectors.inline.hpp"
#include "gc/h2/h2FinderWorker.hpp"
#include "gc/h2/h2Gathered.hpp"
#include "gc/h2/h2GroupFinder.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2OldObjects.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/shared/gc_globals.hpp"
#include "gc/shared/taskqueue.inline.hpp"
#include "gc/shared/taskTerminator.hpp"
#include "gc/shared/workerThread.hpp"
#include "logging/log.hpp"
#include "oops/objArrayOop.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/prefetch.inline.hpp"

// A worker takes so many elements at a time.
static const int SliceLength = 4096;
// Elements between one that is prefetched and the one in hand.
static const int ElementsAhead = 4;
// A worker takes so many bytes of a space at a time.
static const size_t PieceBytes = 512 * K;

typedef GrowableArrayCHeap<MemRegion, mtGC> Pieces;
typedef GrowableArrayCHeap<H2OldObjects::Slice, mtGC> Slices;

static void add_pieces_of(MemRegion space, Pieces* pieces) {
  const size_t words = PieceBytes >> LogHeapWordSize;
  for (HeapWord* p = space.start(); p < space.end(); p += words) {
    pieces->append(MemRegion(p, MIN2(words, pointer_delta(space.end(), p))));
  }
}

static void add_pieces(H2AutoScope scope, Pieces* pieces) {
  const H2Collector* const collector = H2Heap::collector();
  if (scope == H2AutoScope::All) {
    for (uint i = 0; i < collector->num_spaces(); i++) {
      add_pieces_of(collector->space(i), pieces);
    }
  } else {
    add_pieces_of(scope == H2AutoScope::Old ? collector->old_objects() : collector->old_survivors(), pieces);
  }
}

// Calls f with each live object that begins in the piece.
template <typename Function>
static void each_live(MemRegion piece, Function f) {
  HeapWord* const end = piece.end();
  for (HeapWord* p = H2Collectors::first_marked(piece.start(), end); p < end; p = H2Collectors::first_marked(p + MinObjAlignment, end)) {
    f(cast_to_oop(p));
  }
}

// Calls f with each live object after which none begins in a whole block, of half the size of a large array, and with the last of
// the piece. All large arrays are among them, and headers of other objects are not read.
template <typename Function>
static void each_before_gap(MemRegion piece, Function f) {
  const size_t words = (H2Walk::LargeArrayBytes / 2) >> LogHeapWordSize;
  HeapWord* before = nullptr;  // the block before, if objects begin in it
  for (HeapWord* block = piece.start(); block < piece.end(); block += words) {
    HeapWord* const end = MIN2(block + words, piece.end());
    const bool is_empty = H2Collectors::first_marked(block, end) == end;
    if (is_empty && before != nullptr) {
      f(cast_to_oop(H2Collectors::last_marked(before, block - MinObjAlignment)));
    }
    before = is_empty ? nullptr : block;
  }
  if (before != nullptr) {
    f(cast_to_oop(H2Collectors::last_marked(before, piece.end() - MinObjAlignment)));
  }
}

class H2FindArraysTask : public WorkerTask {
  const Pieces& _pieces;
  Slices* const _slices;
  Mutex         _lock;
  volatile int  _next;

  void add(objArrayOop array) {
    MutexLocker ml(&_lock, Mutex::_no_safepoint_check_flag);
    for (int from = 0; from < array->length(); from += SliceLength) {
      _slices->append(H2OldObjects::Slice{array, from, MIN2(from + SliceLength, array->length())});
    }
  }

 public:
  H2FindArraysTask(const Pieces& pieces, Slices* slices) :
    WorkerTask("H2 find arrays"), _pieces(pieces), _slices(slices), _lock(Mutex::nosafepoint, "H2FindArrays_lock"), _next(0) {}

  void work(uint worker_id) override {
    int i;
    while ((i = Atomic::fetch_then_add(&_next, 1)) < _pieces.length()) {
      each_before_gap(_pieces.at(i), [&](oop obj) {
        if (obj->is_objArray() && (obj->size() << LogHeapWordSize) >= H2Walk::LargeArrayBytes) {
          add(objArrayOop(obj));
        }
      });
    }
  }
};

class H2WalkTask : public WorkerTask {
  H2GroupFinder* const _finder;
  H2Walk* const   _walk;
  const Slices&   _slices;
  const Pieces&   _pieces;
  TaskTerminator  _terminator;
  volatile int    _next_slice;
  volatile int    _next_piece;

  // Makes the CPU fetch the header of an element that is soon walked from.
  static void prefetch(const H2OldObjects::Slice& slice, int i) {
    const oop element = i < slice._to ? slice._array->obj_at(i) : nullptr;
    if (element != nullptr) {
      Prefetch::write(cast_from_oop<HeapWord*>(element), 0);
    }
  }

  void walk_slice(const H2OldObjects::Slice& slice, H2FinderWorker* worker) const {
    for (int i = slice._from; i < slice._to && !worker->is_full(); i++) {
      prefetch(slice, i + ElementsAhead);
      const oop element = slice._array->obj_at(i);
      if (element != nullptr) {
        worker->walk_from(element);
      }
    }
  }

  void walk_piece(MemRegion piece, H2FinderWorker* worker) const {
    each_live(piece, [&](oop obj) { worker->walk_from(obj); });
  }

  void help(uint worker_id, H2FinderWorker* worker) {
    ScannerTask task;
    do {
      while (_finder->queues()->steal(worker_id, task)) {
        worker->follow(task, true /* stolen */);
        worker->drain();
      }
    } while (!_terminator.offer_termination());
  }

 public:
  H2WalkTask(H2GroupFinder* finder, H2Walk* walk, const Slices& slices, const Pieces& pieces, uint num_workers) :
    WorkerTask("H2 walk"), _finder(finder), _walk(walk), _slices(slices), _pieces(pieces),
    _terminator(num_workers, finder->queues()), _next_slice(0), _next_piece(0) {}

  void work(uint worker_id) override {
    H2FinderWorker* const worker = _finder->worker(worker_id);
    worker->begin_walk(_walk);
    int i;
    while (!worker->is_full() && (i = Atomic::fetch_then_add(&_next_slice, 1)) < _slices.length()) {
      walk_slice(_slices.at(i), worker);
    }
    while (!worker->is_full() && (i = Atomic::fetch_then_add(&_next_piece, 1)) < _pieces.length()) {
      walk_piece(_pieces.at(i), worker);
    }
    help(worker_id, worker);
    worker->finish();
    worker->end_walk();
  }
};

H2OldObjects::H2OldObjects(H2GroupFinder* finder, bool is_short, bool is_last_resort) :
  _finder(finder), _is_short(is_short), _is_last_resort(is_last_resort), _walk(finder->indices()), _has_slices(false), _slices() {}

H2AutoSnapshot H2OldObjects::snapshot() const {
  H2AutoSnapshot s;
  const size_t live = H2Heap::collector()->marked_bytes();
  s._old_max = H2Heap::collector()->use()._old_max;
  s._live = live - MIN2(live, _finder->words() << LogHeapWordSize);
  s._gathered = H2Gathered::bytes();
  s._live_survivors = H2Heap::collector()->marked_bytes(H2Heap::collector()->old_survivors());
  s._live_old = H2Heap::collector()->marked_bytes(H2Heap::collector()->old_objects());
  s._threshold = H2MoveThreshold;
  s._uses_tags = H2Tags::are_used();
  s._is_short = _is_short;
  s._is_last_resort = _is_last_resort;
  return s;
}

// In all of H1: a container may have grown just now.
void H2OldObjects::find_slices() {
  if (_has_slices) {
    return;
  }
  _has_slices = true;
  Pieces pieces;
  add_pieces(H2AutoScope::All, &pieces);
  H2FindArraysTask task(pieces, &_slices);
  H2Heap::collector()->workers()->run_task(&task);
  _slices.sort([](Slice* a, Slice* b) {
    const bool is_before = a->_array == b->_array ? a->_from < b->_from : cast_from_oop<HeapWord*>(a->_array) < cast_from_oop<HeapWord*>(b->_array);
    return is_before ? -1 : 1;
  });
}

// The objects of a scope lie in one row of addresses.
static MemRegion span_of(H2AutoScope scope) {
  switch (scope) {
    case H2AutoScope::Survivors: return H2Heap::collector()->old_survivors();
    case H2AutoScope::Old:       return H2Heap::collector()->old_objects();
    default:                     return H2Heap::h1();
  }
}

void H2OldObjects::walk(H2AutoRound round, H2AutoScope scope, size_t bytes) {
  const uint num_workers = H2Heap::collector()->workers()->active_workers();
  find_slices();
  _walk.restrict_to(span_of(scope), round != H2AutoRound::Plain, round == H2AutoRound::Arrays);
  Pieces pieces;
  add_pieces(scope, &pieces);
  _finder->set_limit(bytes >> LogHeapWordSize);
  H2WalkTask task(_finder, &_walk, _slices, pieces, num_workers);
  H2Heap::collector()->workers()->run_task(&task);
}

static const char* name(H2AutoRound round) {
  switch (round) {
    case H2AutoRound::Plain:   return "plain";
    case H2AutoRound::Written: return "written";
    default:                   return "arrays";
  }
}

static const char* name(H2AutoScope scope) {
  switch (scope) {
    case H2AutoScope::Survivors: return "survivors";
    case H2AutoScope::Old:       return "old objects";
    default:                     return "all objects";
  }
}

void H2OldObjects::find(size_t max_bytes) {
  const H2AutoRound rounds[] = {H2AutoRound::Plain, H2AutoRound::Written, H2AutoRound::Arrays};
  for (H2AutoRound round : rounds) {
    const size_t before = _finder->words() << LogHeapWordSize;
    const H2AutoSnapshot s = snapshot();
    const size_t bytes = MIN2(H2AutoRule::bytes(round, s), max_bytes - MIN2(before, max_bytes));
    if (bytes == 0) {
      return;
    }
    const H2AutoScope scope = round == H2AutoRound::Plain ? H2AutoRule::scope(bytes, s) : H2AutoScope::All;
    walk(round, scope, bytes);
    log_info(gc, h2)("Auto: %s, %s: %zuK of %zuK, as %zuK live in H1 (%d slices of large arrays)", name(round), name(scope),
                     ((_finder->words() << LogHeapWordSize) - before) / K, bytes / K, s._live / K, _slices.length());
  }
}
