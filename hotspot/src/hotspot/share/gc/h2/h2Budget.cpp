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


#include "gc/h2/h2Arguments.hpp"
#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/parallel/parallelScavengeHeap.hpp"
#include "gc/parallel/psOldGen.hpp"
#include "gc/parallel/psYoungGen.hpp"
#include "gc/shared/adaptiveSizePolicy.hpp"
#include "gc/shared/gc_globals.hpp"
#include "runtime/init.hpp"

#include <unistd.h>

size_t H2Budget::_spare = 0;
size_t H2Budget::_young_touched = 0;

void H2Budget::prepare() {
  if (H2Arguments::shares_budget()) {
    const PSYoungGen* const young_gen = ParallelScavengeHeap::heap()->young_gen();
    _young_touched = MAX2(_young_touched, young_gen->used_in_bytes());
  }
}

static bool is_limited_by_container() {
  const size_t machine = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
  return (size_t)os::physical_memory() < machine;
}

// 0 if it cannot be told. Not os::rss(), which has the kernel walk all page tables,
// in the pause; what it counts anyway may be some MiB off.
static size_t resident_set_bytes() {
#ifdef LINUX
  os::Linux::meminfo_t info;
  return os::Linux::query_process_memory_info(&info) && info.vmrss > 0 ? (size_t)info.vmrss * K : 0;
#else
  return os::rss();
#endif
}

// Of both heaps only what is surely in memory is subtracted from what the process
// has, so the rest is rather too much.
void H2Budget::measure() {
  H2EngineStats engine;
  if (!H2Arguments::shares_budget() || !is_limited_by_container() || !H2Heap::backend()->stats(&engine)) {
    return;
  }
  ParallelScavengeHeap* const heap = ParallelScavengeHeap::heap();
  const size_t h1 = heap->old_gen()->used_in_bytes() +
                    MIN2(_young_touched, heap->young_gen()->virtual_space()->committed_size());
  const size_t h2 = engine.resident_bytes + engine.mem_used_total + engine.staged_bytes;
  const size_t rss = resident_set_bytes();
  if (rss == 0) {
    return;
  }
  const size_t margin = MAX2((size_t)os::physical_memory() / 32, 16 * M);
  const size_t needed = rss - MIN2(rss, h1 + h2) + H2Arguments::staging_bytes() + margin;
  const size_t kept = H2Arguments::kept_beside_heaps();
  _spare = MIN2(kept - MIN2(kept, needed), _spare + kept / 16);
}

void H2Budget::shrink_old() {
  ParallelScavengeHeap* const heap = ParallelScavengeHeap::heap();
  const bool policy_decides = UseAdaptiveSizePolicy && UseAdaptiveGenerationSizePolicyAtMajorCollection &&
                              AdaptiveSizePolicy::should_update_promo_stats(heap->gc_cause());
  if (!H2Arguments::shares_budget() || policy_decides) {
    return;
  }
  PSOldGen* const old_gen = heap->old_gen();
  // Room for a whole young generation, so that the next promotions need not commit it again.
  const size_t needed = MAX2(old_gen->used_in_bytes() / 2, heap->young_gen()->capacity_in_bytes());
  if (old_gen->capacity_in_bytes() - old_gen->used_in_bytes() > needed) {
    old_gen->resize(needed);
  }
}

void H2Budget::share() {
  // While the heap is being made there is nothing to share yet.
  if (!H2Arguments::shares_budget() || H2Heap::backend() == nullptr || !is_init_completed()) {
    return;
  }
  ParallelScavengeHeap* const heap = ParallelScavengeHeap::heap();
  const size_t taken = heap->young_gen()->virtual_space()->committed_size() + heap->old_gen()->virtual_space()->committed_size();
  const size_t lent = MaxHeapSize > taken ? MaxHeapSize - taken : 0;
  // A heap that may become larger than the memory limit has nothing to lend of what is beyond.
  const size_t own = H2ResidentSize + H2PoolSize;
  const size_t most = MAX2(H2Arguments::beside_heap(taken), own);
  H2Heap::backend()->set_dram_limit(MIN2(own + lent, most) + _spare);
}
