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

#include "gc/h2/h2Allocator.hpp"
#include "gc/h2/h2Beside.hpp"
#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2Collectors.hpp"
#include "gc/h2/h2FileBackend.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2NativeMemory.hpp"
#include "gc/h2/h2ObjectStarts.hpp"
#include "gc/h2/h2PerfData.hpp"
#include "gc/h2/h2Refaults.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2Setup.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/h2/h2Signals.hpp"
#include "gc/h2/h2StartLog.hpp"
#include "gc/h2/h2Strings.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/h2/h2TierBackend.hpp"
#include "gc/shared/cardTable.hpp"
#include "gc/shared/gc_globals.hpp"
#include "logging/log.hpp"
#include "memory/memRegion.hpp"
#include "runtime/os.hpp"

static void commit_cards(CardTable* cards, MemRegion range) {
  char* const from = (char*)cards->byte_for(range.start());
  const size_t bytes = pointer_delta(cards->byte_for(range.last()) + 1, from, 1);
  os::commit_memory_or_exit(from, bytes, !ExecMem, "H2 card table");
}

// The backing that H2Backing names, over [base, base + bytes). Exits the VM with a message when it cannot be had.
static H2Backend* open_backing(char* base, size_t bytes) {
  if (strcmp(H2Backing, "tier") == 0) {
    H2Backend* const tier = H2TierBackend::open(base, bytes);
    if (tier != nullptr) {
      return tier;
    }
  }
  return H2FileBackend::open(base, bytes);
}

void H2Setup::initialize(CardTable* cards) {
  if (!H2Heap::is_enabled()) {
    return;
  }
  const MemRegion range = H2Heap::range();
  H2Budget::initialize();
  H2StartLog::print();
  H2Heap::_collector = H2Collectors::make();
  H2Heap::_cards = cards;
  commit_cards(cards, range);

  H2Heap::_starts = new H2ObjectStarts(range);
  H2Heap::_regions = new H2RegionTable(range, H2RegionSize, cards, H2Heap::starts());
  H2Heap::_backend = open_backing((char*)range.start(), range.byte_size());
  H2Shapes::initialize(range);
  H2Signals::initialize();
  H2Beside::library_loaded();
  H2Allocator::initialize();
  H2Tags::initialize();
  H2Refaults::initialize();
  H2Strings::initialize();
  H2PerfData::initialize();
  H2NativeMemory::initialize();

  log_info(gc, h2)("H2: %zuM at " PTR_FORMAT ", %u regions of %zuK, backing %s",
                   range.byte_size() / M, p2i(range.start()), H2Heap::regions()->length(), H2RegionSize / K, H2Heap::backend()->name());
}
