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
#include "gc/h2/h2Filler.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Region.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "memory/memoryReserver.hpp"
#include "memory/reservedSpace.hpp"
#include "runtime/atomic.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"
#include "utilities/powerOfTwo.hpp"

HeapWord*       H2Shapes::_start = nullptr;
int             H2Shapes::_shift = 0;
uint8_t**       H2Shapes::_shapes = nullptr;
uint8_t*        H2Shapes::_flags = nullptr;
volatile size_t H2Shapes::_bytes = 0;

uint8_t* H2Shapes::reserve_bytes(size_t bytes) {
  const size_t aligned = align_up(bytes, os::vm_page_size());
  const ReservedSpace space = MemoryReserver::reserve(aligned, mtGC);
  if (!space.is_reserved()) {
    vm_exit_out_of_memory(aligned, OOM_MMAP_ERROR, "H2 shape table");
  }
  os::commit_memory_or_exit(space.base(), aligned, !ExecMem, "H2 shape table");
  return (uint8_t*)space.base();
}

void H2Shapes::initialize(MemRegion range, size_t unit_bytes) {
  _start = range.start();
  _shift = log2i_exact(unit_bytes) - LogHeapWordSize;
  const size_t units = num_units(range);
  _shapes = (uint8_t**)reserve_bytes(units * sizeof(uint8_t*));
  _flags = reserve_bytes(units);
}

typedef uint32_t ShapeLength;

static ShapeLength length_of(const uint8_t* shape) {
  ShapeLength length;
  memcpy(&length, shape, sizeof(length));
  return length;
}

H2ShapeReader H2Shapes::reader(size_t unit, const uint8_t* shape) {
  return H2ShapeReader(shape + sizeof(ShapeLength), length_of(shape), word(address(unit)));
}

void H2Shapes::free(uint8_t* shape) {
  Atomic::sub(&_bytes, sizeof(ShapeLength) + length_of(shape));
  os::free(shape);
}

// Shapes have so small a part of the memory limit at most. They are not compressed, and a look can do without some.
static const size_t MostPart = 64;

bool H2Shapes::install(size_t unit, const uint8_t* bytes, size_t length, bool has_gaps, bool reaches) {
  drop(unit);
  if (Atomic::load(&_bytes) + length > H2Arguments::memory_limit() / MostPart) {
    return false;
  }
  const ShapeLength prefix = checked_cast<ShapeLength>(length);
  uint8_t* const shape = (uint8_t*)os::malloc(sizeof(prefix) + length, mtGC);
  if (shape == nullptr) {
    return false;
  }
  memcpy(shape, &prefix, sizeof(prefix));
  memcpy(shape + sizeof(prefix), bytes, length);
  _shapes[unit] = shape;
  _flags[unit] = (has_gaps ? Gaps : 0) | (reaches ? Reaches : 0);
  Atomic::add(&_bytes, sizeof(prefix) + length);
  return true;
}

void H2Shapes::drop(size_t unit) {
  if (_shapes[unit] != nullptr) {
    free(_shapes[unit]);
    _shapes[unit] = nullptr;
  }
  if (_flags[unit] != 0) {
    _flags[unit] = 0;
  }
}

void H2Shapes::drop(MemRegion units) {
  const size_t end = unit(units.end());
  for (size_t i = unit(units.start()); i < end; i++) {
    drop(i);
  }
}

void H2Shapes::settle(size_t unit, uint8_t* bytes, size_t length) {
  H2ShapeReader reader(bytes, length, word(address(unit)));
  reader.skip(reader.carried());
  reader.begin_entries();
  HeapWord* p = address(unit) + reader.first();
  H2ShapeEntry entry;
  while (reader.next(&entry)) {
    reader.skip(entry._references);
    if (entry._kind == H2ShapeEntry::Gap) {
      // A unit that holds nothing else was given back.
      const bool is_empty = p == address(unit) && entry._words >= unit_words();
      H2Filler::fill_gap(p, p + entry._words, is_empty ? p : address(unit + 1));
      H2ShapeReader::make_filler(bytes + (reader.entry_head() - bytes));
    }
    p += entry._words;
  }
}

void H2Shapes::settle_unit(size_t unit) {
  settle(unit, _shapes[unit] + sizeof(ShapeLength), length_of(_shapes[unit]));
  _flags[unit] &= (uint8_t)~Gaps;
}

void H2Shapes::settle(const H2Region* region) {
  const size_t end = unit(align_up(region->top(), unit_words() * HeapWordSize));
  for (size_t i = unit(region->bottom()); i < end; i++) {
    if (has_gaps(i)) {
      settle_unit(i);
    }
  }
}
