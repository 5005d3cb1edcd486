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

#include "gc/h2/h2Addresses.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "memory/reservedSpace.hpp"
#include "runtime/os.hpp"

HeapWord*       H2Fence::_start = nullptr;
HeapWord*       H2Fence::_end = nullptr;
MemRegion       H2Heap::_h1;
H2Collector*    H2Heap::_collector = nullptr;
H2RegionTable*  H2Heap::_regions = nullptr;
H2ObjectStarts* H2Heap::_starts = nullptr;
CardTable*      H2Heap::_cards = nullptr;
H2Backend*      H2Heap::_backend = nullptr;

ReservedSpace H2Heap::carve(const ReservedHeapSpace& heap) {
  const size_t bytes = H2Addresses::reserved_bytes();
  if (bytes > 0) {
    H2Fence::_start = (HeapWord*)heap.base();
    H2Fence::_end = (HeapWord*)(heap.base() + bytes);
  }
  _h1 = MemRegion((HeapWord*)(heap.base() + bytes), (HeapWord*)heap.end());
  return heap.last_part(bytes, os::vm_page_size());
}

bool H2Heap::is_in(const void* p) {
  return contains(p) && _regions->is_allocated((HeapWord*)p);
}

size_t H2Heap::used() {
  return is_enabled() ? _regions->used_bytes() : 0;
}
