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
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2NativeMemory.hpp"
#include "nmt/memTracker.hpp"
#include "nmt/virtualMemoryTracker.hpp"
#include "utilities/vmError.hpp"

// Memory of the engine by tag, as it was told last. HotSpot's own memory of the same tag stays beside it.
class H2NativeFigure {
  const MemTag _tag;
  const bool   _reserves;
  size_t       _bytes;

 public:
  H2NativeFigure(MemTag tag, bool reserves) : _tag(tag), _reserves(reserves), _bytes(0) {}

  // The tracker asserts at each step that no more is committed than reserved.
  void set(size_t bytes) {
    VirtualMemorySummary::record_uncommitted_memory(_bytes, _tag);
    if (_reserves) {
      VirtualMemorySummary::record_released_memory(_bytes, _tag);
      VirtualMemorySummary::record_reserved_memory(bytes, _tag);
    }
    VirtualMemorySummary::record_committed_memory(bytes, _tag);
    _bytes = bytes;
  }
};

static H2NativeFigure pages(mtH2Pages, false);
static H2NativeFigure pool(mtH2Pool, true);
static H2NativeFigure staging(mtH2Staging, true);
static H2NativeFigure tables(mtH2Tables, true);

void H2NativeMemory::initialize() {
  if (MemTracker::enabled()) {
    MemTracker::NmtVirtualMemoryLocker locker;
    VirtualMemorySummary::move_reserved_memory(mtJavaHeap, mtH2Pages, H2Heap::capacity());
  }
}

void H2NativeMemory::update() {
  H2EngineStats engine;
  if (VMError::is_error_reported() || !H2Heap::is_enabled() || H2Heap::backend() == nullptr || !H2Heap::backend()->stats(&engine)) {
    return;
  }
  MemTracker::NmtVirtualMemoryLocker locker;
  pages.set(engine.resident_bytes);
  pool.set(engine.mem_used_total);
  staging.set(engine.staging_bytes);
  tables.set(engine.store_table_bytes);
}
