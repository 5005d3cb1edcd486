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

#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2LabelUse.hpp"
#include "gc/h2/h2Liveness.inline.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Returner.hpp"
#include "gc/h2/h2Stresser.hpp"
#include "gc/h2/h2Tracer.hpp"
#include "gc/parallel/parallelScavengeHeap.inline.hpp"
#include "gc/shared/gcTraceTime.inline.hpp"
#include "gc/shared/gc_globals.hpp"
#include "gc/shared/taskTerminator.hpp"
#include "gc/shared/taskqueue.inline.hpp"
#include "gc/shared/workerThread.hpp"
#include "logging/log.hpp"
#include "memory/iterator.inline.hpp"
#include "memory/resourceArea.hpp"
#include "oops/access.inline.hpp"
#include "oops/compressedOops.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"

H2ObjectBits  H2Liveness::_entries;
H2ObjectBits  H2Liveness::_reached;
bool          H2Liveness::_initialized = false;
bool          H2Liveness::_looking = false;
volatile bool H2Liveness::_requested = false;

// Less than this is not worth bringing back.
static const size_t LeastBytes = M;

void H2Liveness::request() {
  Atomic::store(&_requested, true);
}

void H2Liveness::prepare() {
  const bool requested = Atomic::cmpxchg(&_requested, true, false);
  if (!requested && !(H2Stress && H2Stresser::choose_to_look())) {
    return;
  }
  if (!_initialized) {
    const MemRegion h2(H2Heap::start(), H2Heap::end());
    _initialized = _entries.initialize(h2) && _reached.initialize(h2);
  }
  if (!_initialized) {
    log_warning(gc, h2)("No memory for the bitmaps of a look at H2; nothing is known of what died there");
  }
  _looking = _initialized;
}

// One worker's share of a look.
class H2LookWorker : public CHeapObj<mtGC> {
  class Fields : public BasicOopIterateClosure {
    H2LookWorker* const _worker;

    template <typename T> void do_oop_work(T* p) {
      T value = RawAccess<>::oop_load(p);
      if (CompressedOops::is_null(value)) {
        return;
      }
      oop obj = CompressedOops::decode_not_null(value);
      if (H2Heap::contains(obj)) {
        _worker->reach(obj);
      }
    }

   public:
    explicit Fields(H2LookWorker* worker) : _worker(worker) {}
    void do_oop(oop* p) override       { do_oop_work(p); }
    void do_oop(narrowOop* p) override { do_oop_work(p); }
  };

  H2Tracer::Queue  _queue;
  Fields           _fields;
  size_t* const    _words;         // reached, by head of region; of all workers
  uint             _region;        // of the object reached last
  size_t           _region_words;  // reached there, and not added yet

  void count(oop obj) {
    const uint region = H2Heap::regions()->head_index(cast_from_oop<HeapWord*>(obj));
    if (region != _region) {
      flush();
      _region = region;
      guarantee(H2Heap::regions()->at(region)->is_live(), "Reached " PTR_FORMAT " in region %u, which marking did not reach",
                p2i(obj), region);
    }
    _region_words += obj->size();
  }

 public:
  explicit H2LookWorker(size_t* words) : _queue(), _fields(this), _words(words), _region(UINT_MAX), _region_words(0) {}

  H2Tracer::Queue* queue() { return &_queue; }

  void reach(oop obj) {
    if (H2Liveness::_reached.par_set(obj)) {
      _queue.push(ScannerTask(obj));
    }
  }

  void follow(oop obj) {
    count(obj);
    obj->oop_iterate(&_fields);
  }

  void drain() {
    ScannerTask task;
    do {
      while (_queue.pop_overflow(task)) {
        if (!_queue.try_push_to_taskqueue(task)) {
          follow(task.to_oop());
        }
      }
      while (_queue.pop_local(task)) {
        follow(task.to_oop());
      }
    } while (!_queue.is_empty());
  }

  void flush() {
    if (_region_words > 0) {
      Atomic::add(&_words[_region], _region_words, memory_order_relaxed);
      _region_words = 0;
    }
  }
};

class H2LookTask : public WorkerTask {
  GrowableArrayCHeap<H2LookWorker*, mtGC> _workers;
  H2Tracer::QueueSet                      _queues;
  TaskTerminator                          _terminator;
  H2RegionClaimer                         _regions;

  void reach_entries(H2LookWorker* worker) {
    _regions.each([=](const H2Region* region) {
      H2Liveness::_entries.iterate(MemRegion(region->bottom(), region->top()), [=](oop obj) { worker->reach(obj); });
      worker->drain();
    });
  }

 public:
  H2LookTask(uint num_workers, size_t* words) :
    WorkerTask("H2 look"), _workers(num_workers), _queues(num_workers), _terminator(num_workers, &_queues), _regions()
  {
    for (uint i = 0; i < num_workers; i++) {
      _workers.append(new H2LookWorker(words));
      _queues.register_queue(i, _workers.at(i)->queue());
    }
  }

  ~H2LookTask() {
    for (H2LookWorker* worker : _workers) {
      delete worker;
    }
  }

  void work(uint worker_id) override {
    H2LookWorker* const worker = _workers.at(worker_id);
    reach_entries(worker);
    ScannerTask task;
    do {
      while (_queues.steal(worker_id, task)) {
        worker->follow(task.to_oop());
        worker->drain();
      }
    } while (!_terminator.offer_termination());
    worker->flush();
  }
};

void H2Liveness::look(STWGCTimer* timer) {
  if (!_looking) {
    return;
  }
  GCTraceTime(Info, gc, phases) tm("H2 Look", timer);
  _looking = false;
  H2RegionTable* const regions = H2Heap::regions();
  size_t* const words = NEW_C_HEAP_ARRAY(size_t, regions->limit(), mtGC);
  memset(words, 0, regions->limit() * sizeof(size_t));
  WorkerThreads& workers = ParallelScavengeHeap::heap()->workers();
  H2LookTask task(workers.active_workers(), words);
  workers.run_task(&task);

  size_t dead = 0;
  for (uint i = 0; i < regions->limit(); i++) {
    H2Region* const region = regions->at(i);
    if (region->is_in_use() && !region->is_returning()) {
      region->set_dead_bytes(region->used_bytes() - (words[i] << LogHeapWordSize));
      dead += region->dead_bytes();
    }
  }
  FREE_C_HEAP_ARRAY(size_t, words);
  _entries.clear_all();
  _reached.clear_all();
  log_info(gc, h2)("Looked through H2: of %zuK, nobody can reach %zuK", H2Heap::used() / K, dead / K);
  return_mostly_dead();
}

// The regions of a label are freed together, so it is the label that is mostly dead.
void H2Liveness::return_mostly_dead() {
  ResourceMark rm;
  GrowableArray<H2LabelUse> uses;
  H2LabelUse::collect(&uses);
  for (const H2LabelUse& use : uses) {
    if (use._label != H2Tracer::SharedLabel && use._dead >= LeastBytes && use._dead >= use._bytes / 4 * 3) {
      H2Returner::propose(use._label);
    }
  }
}
