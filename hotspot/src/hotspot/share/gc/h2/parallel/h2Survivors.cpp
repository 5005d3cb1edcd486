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

#include "gc/h2/parallel/h2Survivors.hpp"
#include "gc/parallel/mutableSpace.hpp"
#include "gc/parallel/parallelScavengeHeap.hpp"
#include "gc/parallel/psYoungGen.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"

static PSYoungGen* young_gen() {
  return ParallelScavengeHeap::heap()->young_gen();
}

void H2Survivors::young_finished() {
  _copied = MAX2(young_gen()->from_space()->used_in_bytes(), _copied - _copied / 4);
}

// At least an eighth of eden, as a program may begin to keep what it did not keep before.
size_t H2Survivors::expected_bytes() const {
  return MAX2(_copied + _copied / 4, young_gen()->eden_space()->capacity_in_bytes() / 8);
}

// The part that may be given back of a space that will hold so many bytes. After a failed
// promotion both spaces hold objects: they do not change places.
static MemRegion spare_part(const MutableSpace* space, size_t expected) {
  const size_t bytes = MAX2(space->used_in_bytes(), expected);
  HeapWord* const from = MIN2(align_up(space->bottom() + (bytes >> LogHeapWordSize), os::vm_page_size()), space->end());
  return MemRegion(from, align_down(space->end(), os::vm_page_size()));
}

// Bytes of both spaces that may be given back.
size_t H2Survivors::empty_bytes(size_t expected) {
  return spare_part(young_gen()->from_space(), expected).byte_size() +
         spare_part(young_gen()->to_space(), expected).byte_size();
}

size_t H2Survivors::spare_bytes() const {
  return empty_bytes(expected_bytes());
}

size_t H2Survivors::idle_bytes() const {
  const size_t empty = empty_bytes(0);
  return empty - MIN2(empty, spare_bytes());
}

static void disclaim(MemRegion pages) {
  if (!pages.is_empty()) {
    os::disclaim_memory((char*)pages.start(), pages.byte_size());
  }
}

static void give_back_beyond(size_t expected) {
  disclaim(spare_part(young_gen()->from_space(), expected));
  disclaim(spare_part(young_gen()->to_space(), expected));
}

void H2Survivors::give_back() {
  give_back_beyond(expected_bytes());
}

size_t H2Survivors::give_back_idle() {
  give_back_beyond(0);
  return idle_bytes();
}
