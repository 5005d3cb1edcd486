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
#include "gc/h2/h2MemoryPool.hpp"

H2MemoryPool::H2MemoryPool() : CollectedMemoryPool("H2", 0, H2Heap::capacity(), false /* support_usage_threshold */) {}

size_t H2MemoryPool::used_in_bytes() {
  return H2Heap::used();
}

size_t H2MemoryPool::max_size() const {
  return H2Heap::capacity();
}

MemoryUsage H2MemoryPool::get_memory_usage() {
  const size_t used = used_in_bytes();
  return MemoryUsage(0, used, used, available_for_allocation() ? max_size() : 0);
}
