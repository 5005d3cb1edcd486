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

#ifndef SHARE_GC_H2_H2MEMORYPOOL_HPP
#define SHARE_GC_H2_H2MEMORYPOOL_HPP

#include "oops/oopHandle.hpp"
#include "services/memoryPool.hpp"
#include "services/memoryUsage.hpp"
#include "utilities/growableArray.hpp"

class GCMemoryManager;

// The pool "H2", which is there only when H2 is on: the DRAM that H2 takes. So sums over pools say what they say on any JVM.
// Those that are heap are the ordinary heap, which alerts watch, and the others are memory beside it. It has no maximum, as the
// memory limit bounds it with all else, and no usage threshold: programs set one on each pool that has, to be warned of little
// memory, and H2 is full when it is of use.
class H2MemoryPool : public MemoryPool {
  static H2MemoryPool* _pool;  // null when H2 is off

  H2MemoryPool();

 public:
  // While the heap is made: full collections manage it.
  static void add_to(GCMemoryManager* manager);
  static void add_to(GrowableArray<MemoryPool*>* pools);

  bool is_collected_pool() override { return true; }
  MemoryUsage get_memory_usage() override;
  size_t used_in_bytes() override;
};

#endif // SHARE_GC_H2_H2MEMORYPOOL_HPP
