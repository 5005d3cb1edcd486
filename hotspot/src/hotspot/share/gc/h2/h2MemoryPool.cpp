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
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2MemoryPool.hpp"
#include "services/memoryManager.hpp"

H2MemoryPool* H2MemoryPool::_pool = nullptr;

H2MemoryPool::H2MemoryPool() :
  MemoryPool("H2", MemoryPool::NonHeap, 0, MemoryUsage::undefined_size(), false /* support_usage_threshold */, false /* support_gc_threshold */) {}

void H2MemoryPool::add_to(GCMemoryManager* manager) {
  if (H2Heap::is_enabled()) {
    _pool = new H2MemoryPool();
    manager->add_pool(_pool);
  }
}

void H2MemoryPool::add_to(GrowableArray<MemoryPool*>* pools) {
  if (_pool != nullptr) {
    pools->append(_pool);
  }
}

// Nobody knows how much of a mapped file the kernel keeps in memory: all of it, at most.
size_t H2MemoryPool::used_in_bytes() {
  H2EngineStats engine;
  return H2Heap::backend()->stats(&engine) ? H2Budget::dram_bytes(engine) : H2Heap::used();
}

MemoryUsage H2MemoryPool::get_memory_usage() {
  const size_t used = used_in_bytes();
  return MemoryUsage(0, used, used, max_size());
}
