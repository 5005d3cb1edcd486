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

#ifndef SHARE_GC_H2_PARALLEL_H2PARALLEL_INLINE_HPP
#define SHARE_GC_H2_PARALLEL_H2PARALLEL_INLINE_HPP

#include "gc/h2/h2TakenWords.hpp"
#include "gc/h2/parallel/h2Parallel.hpp"

#include "gc/parallel/objectStartArray.inline.hpp"
#include "gc/parallel/parMarkBitMap.inline.hpp"
#include "gc/parallel/parallelScavengeHeap.inline.hpp"
#include "gc/parallel/psParallelCompact.inline.hpp"
#include "gc/parallel/psScavenge.hpp"
#include "runtime/atomic.hpp"

inline bool H2Parallel::is_young(oop obj) {
  return PSScavenge::is_obj_in_young(obj);
}

inline bool H2Parallel::is_discovering() {
  return PSParallelCompact::ref_processor()->discovery_enabled();
}

inline bool H2Parallel::is_marked(oop obj) {
  return PSParallelCompact::mark_bitmap()->is_marked(obj);
}

inline bool H2Parallel::unmark(oop obj) {
  ParMarkBitMap* const bits = PSParallelCompact::mark_bitmap();
  return bits->_beg_bits.par_clear_bit(bits->addr_to_bit(cast_from_oop<HeapWord*>(obj)));
}

inline void H2Parallel::mark_again(oop obj) {
  PSParallelCompact::mark_bitmap()->mark_obj(obj);
}

// Undoes what marking has added to the regions.
inline void H2Parallel::take_words(HeapWord* p, size_t words, H2TakenWords* taken) {
  ParallelCompactData& data = PSParallelCompact::summary_data();
  const size_t first = data.addr_to_region_idx(p);
  const size_t last = data.addr_to_region_idx(p + words - 1);
  if (first != taken->_piece) {
    settle_words(taken);
    taken->_piece = first;
  }
  taken->_words += first == last ? words : ParallelCompactData::RegionSize - data.region_offset(p);
  for (size_t i = first + 1; i <= last; i++) {
    data.region(i)->set_partial_obj_size(0);
    data.region(i)->set_partial_obj_addr(nullptr);
  }
}

inline void H2Parallel::settle_words(H2TakenWords* taken) {
  if (taken->_words > 0) {
    ParallelCompactData::RegionData* const region = PSParallelCompact::summary_data().region(taken->_piece);
    assert(taken->_words <= region->live_obj_size(), "underflow");
    Atomic::sub(&region->_dc_and_los, (ParallelCompactData::RegionData::region_sz_t)taken->_words);
    taken->_words = 0;
  }
}

inline HeapWord* H2Parallel::first_marked(HeapWord* from, HeapWord* to) {
  return PSParallelCompact::mark_bitmap()->find_obj_beg(from, to);
}

inline HeapWord* H2Parallel::last_marked(HeapWord* from, HeapWord* p) {
  // Behind p by as much as a bit stands for: the end comes back when nothing is found.
  HeapWord* const end = p + MinObjAlignment;
  HeapWord* const found = PSParallelCompact::mark_bitmap()->find_obj_beg_reverse(from, end);
  return found < end ? found : nullptr;
}

inline void H2Parallel::record_old_object(HeapWord* from, HeapWord* to) {
  ParallelScavengeHeap::heap()->old_gen()->start_array()->update_for_block(from, to);
}

#endif // SHARE_GC_H2_PARALLEL_H2PARALLEL_INLINE_HPP
