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

#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "memory/memoryReserver.hpp"
#include "memory/reservedSpace.hpp"
#include "runtime/os.hpp"
#include "utilities/checkedCast.hpp"

uint8_t* H2ObjectStarts::make_entries(MemRegion range) {
  const size_t bytes = align_up(range.byte_size() >> CardTable::card_shift(), os::vm_page_size());
  const ReservedSpace space = MemoryReserver::reserve(bytes, mtH2Tables);
  if (!space.is_reserved()) {
    vm_exit_out_of_memory(bytes, OOM_MMAP_ERROR, "H2 object starts");
  }
  os::commit_memory_or_exit(space.base(), bytes, !ExecMem, "H2 object starts");
  return (uint8_t*)space.base();
}

// The cards of one power lie farther back than those of the one before.
void H2ObjectStarts::note(HeapWord* start, HeapWord* boundary, HeapWord* end) {
  uint8_t* const first = entry(boundary);
  uint8_t* const last = entry(end - 1);
  *first = checked_cast<uint8_t>(pointer_delta(boundary, start));
  uint8_t* from = first + 1;
  for (uint power = 0; from <= last; power++) {
    assert(power < BOTConstants::N_powers, "no block is that long");
    uint8_t* const to = first + MIN2(BOTConstants::power_to_cards_back(power + 1), pointer_delta(last, first, 1) + 1);
    memset(from, checked_cast<int>(CardTable::card_size_in_words() + power), pointer_delta(to, from, 1));
    from = to;
  }
}

MemRegion H2ObjectStarts::entries(MemRegion part) const {
  return MemRegion((HeapWord*)entry(part.start()), (HeapWord*)(entry(part.last()) + 1));
}
