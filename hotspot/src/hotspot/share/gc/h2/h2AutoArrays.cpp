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
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Collectors.inline.hpp"
#include "gc/h2/h2FinderWorker.hpp"
#include "gc/h2/h2GroupFinder.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Labels.hpp"
#include "gc/shared/workerThread.hpp"
#include "logging/log.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"

class H2AutoTask : public WorkerTask {
  typedef GrowableArrayCHeap<MemRegion, mtGC> Pieces;

  H2GroupFinder* const _finder;
  const uint      _label_index;
  const Pieces&   _pieces;
  volatile int    _next;

  bool is_wanted(oop obj) const {
    return obj->is_typeArray() && H2FinderWorker::is_large(obj->size());
  }

  void claim_in(MemRegion piece, H2FinderWorker* worker) const {
    HeapWord* const end = piece.end();
    for (HeapWord* p = H2Collectors::first_marked(piece.start(), end); p < end;
         p = H2Collectors::first_marked(p + MinObjAlignment, end)) {
      oop obj = cast_to_oop(p);
      if (!obj->mark().is_forwarded() && is_wanted(obj)) {
        worker->claim_root(obj, _label_index);
      }
    }
  }

 public:
  H2AutoTask(H2GroupFinder* finder, const Pieces& pieces) :
    WorkerTask("H2 auto"), _finder(finder), _label_index(finder->index_of(H2OwnLabels::Arrays)), _pieces(pieces), _next(0) {}

  void work(uint worker_id) override {
    H2FinderWorker* const worker = _finder->worker(worker_id);
    int i;
    while ((i = Atomic::fetch_then_add(&_next, 1)) < _pieces.length()) {
      claim_in(_pieces.at(i), worker);
    }
    worker->drain();
    worker->finish();
  }
};

void H2AutoArrays::find(H2GroupFinder* finder) {
  GrowableArrayCHeap<MemRegion, mtGC> pieces;
  H2Heap::collector()->add_survivors(&pieces);
  if (pieces.is_empty()) {
    return;
  }
  const size_t before = finder->words();
  H2AutoTask task(finder, pieces);
  H2Heap::collector()->workers()->run_task(&task);
  log_info(gc, h2)("Auto: %zuK of arrays", ((finder->words() - before) << LogHeapWordSize) / K);
}
