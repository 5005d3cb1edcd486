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

#include "gc/h2/h2Collector.hpp"

#include "gc/parallel/objectStartArray.inline.hpp"
#include "gc/parallel/parMarkBitMap.inline.hpp"
#include "gc/parallel/parallelScavengeHeap.inline.hpp"
#include "gc/parallel/psParallelCompact.inline.hpp"
#include "gc/parallel/psScavenge.hpp"

inline bool H2Collector::is_young(oop obj) {
  return PSScavenge::is_obj_in_young(obj);
}

inline bool H2Collector::is_marked(oop obj) {
  return PSParallelCompact::mark_bitmap()->is_marked(obj);
}

inline void H2Collector::unmark(HeapWord* p, size_t words) {
  PSParallelCompact::mark_bitmap()->par_unmark_obj(p);
  PSParallelCompact::summary_data().remove_obj(p, words);
}

inline HeapWord* H2Collector::first_marked(HeapWord* from, HeapWord* to) {
  return PSParallelCompact::mark_bitmap()->find_obj_beg(from, to);
}

inline HeapWord* H2Collector::last_marked(HeapWord* from, HeapWord* p) {
  // Behind p by as much as a bit stands for: the end comes back when nothing is found.
  HeapWord* const end = p + MinObjAlignment;
  HeapWord* const found = PSParallelCompact::mark_bitmap()->find_obj_beg_reverse(from, end);
  return found < end ? found : nullptr;
}

inline void H2Collector::record_old_object(HeapWord* from, HeapWord* to) {
  ParallelScavengeHeap::heap()->old_gen()->start_array()->update_for_block(from, to);
}

#endif // SHARE_GC_H2_PARALLEL_H2PARALLEL_INLINE_HPP
