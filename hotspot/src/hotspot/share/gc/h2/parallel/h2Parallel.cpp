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

#include "gc/h2/h2Objects.hpp"
#include "gc/h2/parallel/h2Parallel.inline.hpp"
#include "gc/h2/parallel/h2Parallel.hpp"
#include "gc/parallel/mutableSpace.hpp"
#include "gc/parallel/psAdaptiveSizePolicy.hpp"
#include "gc/parallel/psOldGen.hpp"
#include "gc/parallel/psYoungGen.hpp"
#include "gc/shared/gc_globals.hpp"
#include "runtime/globals_extension.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"

bool H2Parallel::select() {
  FLAG_SET_ERGO_IF_DEFAULT(UseParallelGC, true);
  return UseParallelGC;
}

bool H2Parallel::may_be_chosen() {
  return FLAG_IS_DEFAULT(UseParallelGC) || UseParallelGC;
}

const char* H2Parallel::refusal() {
  return UseParallelGC ? nullptr : "works with the Parallel collector only; use -XX:+UseParallelGC or choose no collector";
}

static PSOldGen* old_gen() {
  return ParallelScavengeHeap::heap()->old_gen();
}

static PSYoungGen* young_gen() {
  return ParallelScavengeHeap::heap()->young_gen();
}

WorkerThreads* H2Parallel::workers() const {
  return &ParallelScavengeHeap::heap()->workers();
}

uint H2Parallel::num_spaces() const {
  return PSParallelCompact::last_space_id;
}

MemRegion H2Parallel::space(uint i) const {
  const MutableSpace* const space = PSParallelCompact::space(PSParallelCompact::SpaceId(i));
  return MemRegion(space->bottom(), space->top());
}

size_t H2Parallel::marked_bytes() const {
  size_t words = 0;
  for (uint id = PSParallelCompact::old_space_id; id < PSParallelCompact::last_space_id; id++) {
    words += PSParallelCompact::summary_data().live_words_in_space(PSParallelCompact::space(PSParallelCompact::SpaceId(id)));
  }
  return words << LogHeapWordSize;
}

size_t H2Parallel::marked_bytes(MemRegion part) const {
  const ParallelCompactData& data = PSParallelCompact::summary_data();
  size_t words = 0;
  for (HeapWord* p = part.start(); p < part.end(); p += ParallelCompactData::RegionSize) {
    words += data.addr_to_region_ptr(p)->data_size();
  }
  return words << LogHeapWordSize;
}

MemRegion H2Parallel::old_objects() const {
  return space(PSParallelCompact::old_space_id);
}

MemRegion H2Parallel::old_survivors() const {
  const MemRegion old = old_objects();
  HeapWord* const end = clamp(_survived_to, old.start(), old.end());
  return MemRegion(old.start(), end);
}

bool H2Parallel::is_young_empty() const {
  return young_gen()->used_in_bytes() == 0 && young_gen()->to_space()->is_empty();
}

void H2Parallel::add_survivors(GrowableArrayCHeap<MemRegion, mtGC>* pieces) const {
  const MemRegion survivors = old_survivors();
  HeapWord* const end = survivors.end();
  for (HeapWord* p = survivors.start(); p < end; p += ParallelCompactData::RegionSize) {
    pieces->append(MemRegion(p, MIN2(p + ParallelCompactData::RegionSize, end)));
  }
}

bool H2Parallel::moves_from(HeapWord* p) {
  const oop obj = cast_to_oop(p);
  return old_gen()->start_array()->block_start_reaching_into_card(p + 1) == p && !is_marked(obj) && FullGCForwarding::is_forwarded(obj);
}

void H2Parallel::object_iterate_block(ObjectClosure* cl, size_t block) {
  const size_t in_old = old_gen()->num_iterable_blocks();
  if (block < in_old) {
    old_gen()->object_iterate_block(cl, block);
  } else {
    H2Objects::iterate_block(block - in_old, cl);
  }
}

H2HeapUse H2Parallel::use() const {
  H2HeapUse use;
  use._old_used = old_gen()->used_in_bytes();
  use._old_committed = old_gen()->virtual_space()->committed_size();
  use._old_max = old_gen()->max_gen_size();
  use._young_committed = young_gen()->virtual_space()->committed_size();
  use._eden_free = young_gen()->eden_space()->free_in_bytes();
  use._eden_capacity = young_gen()->eden_space()->capacity_in_bytes();
  use._promoted_lately = ParallelScavengeHeap::heap()->size_policy()->padded_average_promoted_in_bytes();
  return use;
}

MemRegion H2Parallel::young_memory() const {
  const PSVirtualSpace* const young = young_gen()->virtual_space();
  return MemRegion((HeapWord*)young->committed_low_addr(), (HeapWord*)young->committed_high_addr());
}

// The part of the space that begins at p and ends with its region.
static MemRegion rest_of_region(const MutableSpace* space, HeapWord* p) {
  return MemRegion(p, MIN2(PSParallelCompact::summary_data().region_align_up(p + 1), space->end()));
}

// Whether no marked object begins in the part of a region, or reaches into it.
static bool is_dead(const MutableSpace* space, MemRegion part) {
  // A debug build overwrites what was used in the end, whether it was dead or not.
  const bool is_kept = ZapUnusedHeapArea && part.start() < space->top();
  const ParallelCompactData& data = PSParallelCompact::summary_data();
  return !is_kept && data.addr_to_region_ptr(part.start())->data_size() == 0;
}

void H2Parallel::add_dead_young(GrowableArrayCHeap<MemRegion, mtGC>* pieces, size_t wanted) const {
  size_t found = 0;
  for (uint id = PSParallelCompact::eden_space_id; id < PSParallelCompact::last_space_id; id++) {
    const MutableSpace* const space = PSParallelCompact::space(PSParallelCompact::SpaceId(id));
    for (HeapWord* p = space->bottom(); p < space->end() && found < wanted; ) {
      const MemRegion part = rest_of_region(space, p);
      p = part.end();
      HeapWord* const first = align_up(part.start(), os::vm_page_size());
      HeapWord* const end = align_down(part.end(), os::vm_page_size());
      if (first < end && is_dead(space, part)) {
        pieces->append(MemRegion(first, end));
        found += pieces->last().byte_size();
      }
    }
  }
}

static size_t give_back(HeapWord* from, char* to) {
  char* const first = align_up((char*)from, os::vm_page_size());
  if (first >= to) {
    return 0;
  }
  os::disclaim_memory(first, pointer_delta(to, first, 1));
  return pointer_delta(to, first, 1);
}

void H2Parallel::give_back_old() {
  give_back(old_gen()->object_space()->top(), old_gen()->virtual_space()->committed_high_addr());
}

size_t H2Parallel::give_back_eden(size_t kept) {
  const MutableSpace* const eden = young_gen()->eden_space();
  HeapWord* const from = eden->top() + MIN2(kept, eden->free_in_bytes()) / HeapWordSize;
  return give_back(from, align_down((char*)eden->end(), os::vm_page_size()));
}

HeapWord* H2Parallel::allocate_old(size_t words) {
  return old_gen()->allocate(words);
}

void H2Parallel::full_finished() {
  _survived_to = old_gen()->object_space()->top();
}
