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

#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2MoveRoom.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/shared/workerThread.hpp"
#include "logging/log.hpp"
#include "memory/memRegion.hpp"
#include "runtime/atomic.hpp"
#include "runtime/os.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/ticks.hpp"

// Gives pieces of memory back to the kernel.
class H2GiveBackTask : public WorkerTask {
  const GrowableArrayCHeap<MemRegion, mtGC>& _pieces;
  volatile int                               _next;

 public:
  explicit H2GiveBackTask(const GrowableArrayCHeap<MemRegion, mtGC>& pieces) :
    WorkerTask("H2 give back"), _pieces(pieces), _next(0) {}

  void work(uint worker_id) override {
    int i;
    while ((i = Atomic::fetch_then_add(&_next, 1)) < _pieces.length()) {
      const MemRegion piece = _pieces.at(i);
      os::disclaim_memory((char*)piece.start(), piece.byte_size());
    }
  }
};

void H2MoveRoom::lend(size_t marked, size_t found) {
  // Rows of objects are padded, and have shapes.
  const size_t lacking = H2Budget::lacks_for_move(found + found / 32 + H2Shapes::expected(found));
  if (lacking == 0) {
    return;
  }
  const Ticks start = Ticks::now();
  GrowableArrayCHeap<MemRegion, mtGC> pieces;
  H2Heap::collector()->add_dead_young(&pieces, lacking);
  size_t bytes = 0;
  for (const MemRegion& piece : pieces) {
    bytes += piece.byte_size();
  }
  H2GiveBackTask task(pieces);
  H2Heap::collector()->workers()->run_task(&task);
  log_debug(gc, h2)("Memory: the young generation lends %zuM of the %zuM that objects lack which move (%.3fs)", bytes / M, lacking / M,
                    (Ticks::now() - start).seconds());
  settle(marked, found);
}

void H2MoveRoom::settle(size_t marked, size_t moving) {
  H2Budget::divide_for_move(marked - MIN2(marked, moving));
}
