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
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2TraceWorker.hpp"
#include "gc/h2/h2Tracer.hpp"
#include "gc/parallel/mutableSpace.hpp"
#include "gc/parallel/parMarkBitMap.inline.hpp"
#include "gc/parallel/parallelScavengeHeap.inline.hpp"
#include "gc/parallel/psParallelCompact.inline.hpp"
#include "gc/shared/workerThread.hpp"
#include "logging/log.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"

// Top of the old generation after the last full GC. Compaction keeps the order
// of objects, so what lies below has survived at least one.
static HeapWord* _survivors_end = nullptr;

class H2AutoTask : public WorkerTask {
  H2Tracer* const _tracer;
  const uint      _label_index;
  HeapWord* const _end;
  volatile size_t _next;       // summary region

  bool is_wanted(oop obj) const {
    return obj->is_typeArray() && (obj->size() << LogHeapWordSize) >= H2AutoArrays::MinBytes;
  }

  void claim_in(HeapWord* from, HeapWord* to, H2TraceWorker* worker) const {
    const ParMarkBitMap* const marked = PSParallelCompact::mark_bitmap();
    for (HeapWord* p = marked->find_obj_beg(from, to); p < to; p = marked->find_obj_beg(p + MinObjAlignment, to)) {
      oop obj = cast_to_oop(p);
      if (!obj->mark().is_forwarded() && is_wanted(obj)) {
        worker->claim_root(obj, _label_index);
      }
    }
  }

 public:
  H2AutoTask(H2Tracer* tracer, HeapWord* start, HeapWord* end) :
    WorkerTask("H2 auto"), _tracer(tracer), _label_index(tracer->index_of(H2AutoArrays::Label)), _end(end),
    _next(PSParallelCompact::summary_data().addr_to_region_idx(start)) {}

  void work(uint worker_id) override {
    const ParallelCompactData& summary = PSParallelCompact::summary_data();
    H2TraceWorker* const worker = _tracer->worker(worker_id);
    while (true) {
      HeapWord* const from = summary.region_to_addr(Atomic::fetch_then_add(&_next, (size_t)1));
      if (from >= _end) {
        break;
      }
      claim_in(from, MIN2(from + ParallelCompactData::RegionSize, _end), worker);
    }
    worker->drain();
  }
};

void H2AutoArrays::trace(H2Tracer* tracer) {
  MutableSpace* const old_space = PSParallelCompact::space(PSParallelCompact::old_space_id);
  HeapWord* const end = MIN2(_survivors_end, old_space->top());
  if (end <= old_space->bottom()) {
    return;
  }
  const size_t before = tracer->words();
  H2AutoTask task(tracer, old_space->bottom(), end);
  ParallelScavengeHeap::heap()->workers().run_task(&task);
  log_info(gc, h2)("Auto: %zuK of arrays", ((tracer->words() - before) << LogHeapWordSize) / K);
}

void H2AutoArrays::record_survivors() {
  _survivors_end = PSParallelCompact::space(PSParallelCompact::old_space_id)->top();
}
