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

#include "classfile/vmClasses.hpp"
#include "gc/h2/h2Addresses.hpp"
#include "gc/h2/h2Allocator.hpp"
#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Beside.hpp"
#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/h2/h2NativeMemory.hpp"
#include "gc/h2/h2PerfData.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/h2/h2Signals.hpp"
#include "gc/h2/h2StartLog.hpp"
#include "gc/h2/h2Strings.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/shared/cardTable.hpp"
#include "gc/shared/collectedHeap.inline.hpp"
#include "gc/shared/gc_globals.hpp"
#include "logging/log.hpp"
#include "memory/iterator.hpp"
#include "memory/reservedSpace.hpp"
#include "memory/universe.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/os.hpp"
#include "utilities/vmError.hpp"

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

static void commit_cards(CardTable* cards, MemRegion range) {
  char* const from = (char*)cards->byte_for(range.start());
  const size_t bytes = pointer_delta(cards->byte_for(range.last()) + 1, from, 1);
  os::commit_memory_or_exit(from, bytes, !ExecMem, "H2 card table");
}

void H2Heap::initialize(H2Collector* collector, CardTable* cards) {
  H2Budget::initialize();
  H2StartLog::print();
  _collector = collector;
  _cards = cards;
  commit_cards(cards, range());

  _starts = new H2ObjectStarts(range());
  _regions = new H2RegionTable(range(), H2RegionSize, cards, _starts);
  _backend = H2Backend::open((char*)start(), capacity());
  H2Shapes::initialize(range());
  H2Signals::initialize();
  H2Beside::library_loaded();
  H2Allocator::initialize();
  H2Tags::initialize();
  H2Strings::initialize();
  H2PerfData::initialize();
  H2NativeMemory::initialize();

  log_info(gc, h2)("H2: %zuM at " PTR_FORMAT ", %u regions of %zuK, backing %s",
                   capacity() / M, p2i(start()), _regions->length(), H2RegionSize / K, _backend->name());
}

bool H2Heap::is_in(const void* p) {
  return contains(p) && _regions->is_allocated((HeapWord*)p);
}

size_t H2Heap::used() {
  return is_enabled() ? _regions->used_bytes() : 0;
}

HeapWord* H2Heap::block_start(const void* p) {
  if (!is_in(p)) {
    return nullptr;
  }
  // Dead objects in a gap say nothing.
  HeapWord* const start = _starts->block_start_reaching_into_card((HeapWord*)p);
  const bool has_gaps = H2Shapes::has_gaps(H2Shapes::block(start)) || H2Shapes::has_gaps(H2Shapes::block(p));
  return has_gaps ? nullptr : _starts->object_start((HeapWord*)p);
}

// A block is a region.
size_t H2Heap::num_iterable_blocks() {
  return is_enabled() ? _regions->limit() : 0;
}

static bool is_filler(oop obj) {
  Klass* const klass = obj->klass();
  return klass == Universe::fillerArrayKlass() || klass == vmClasses::FillerObject_klass();
}

void H2Heap::object_iterate_block(size_t block, ObjectClosure* cl) {
  H2Region* const region = _regions->at(checked_cast<uint>(block));
  // What returns is iterated where it was copied to.
  if (!region->is_in_use() || region->is_returning()) {
    return;
  }
  H2Shapes::settle(region);
  for (HeapWord* p = region->bottom(); p < region->top(); ) {
    oop obj = cast_to_oop(p);
    p += obj->size();
    if (!is_filler(obj)) {
      cl->do_object(obj);
    }
  }
}

void H2Heap::object_iterate(ObjectClosure* cl) {
  for (size_t i = 0; i < num_iterable_blocks(); i++) {
    object_iterate_block(i, cl);
  }
}

void H2Heap::print_on(outputStream* st) {
  if (!is_enabled() || _regions == nullptr) {
    return;
  }
  st->print(" %-15s total %zuK, used %zuK", "H2", capacity() / K, used() / K);
  st->print_cr(" [" PTR_FORMAT ", " PTR_FORMAT ")", p2i(range().start()), p2i(range().end()));
  st->print_cr("  %u of %u regions in use, %zuK each, backing %s",
               _regions->in_use(), _regions->length(), H2RegionSize / K,
               _backend != nullptr ? _backend->name() : "not open");
  if (_backend != nullptr) {
    _backend->print_on(st);
  }
  H2Budget::print_on(st);
  if (VMError::is_error_reported()) {
    H2Decisions::print_on(st);
  }
}
