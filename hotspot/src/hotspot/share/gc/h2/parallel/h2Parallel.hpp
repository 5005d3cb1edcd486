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

#ifndef SHARE_GC_H2_PARALLEL_H2PARALLEL_HPP
#define SHARE_GC_H2_PARALLEL_H2PARALLEL_HPP

#include "gc/h2/h2Collector.hpp"
#include "gc/h2/parallel/h2Survivors.hpp"

struct H2TakenWords;
class ObjectClosure;
class ParCompactionManager;
class PSPromotionManager;

// Parallel, as H2 sees it.
class H2Parallel : public H2Collector {
  H2Survivors _survivors;
  // Top of the old generation after the last full GC. Compaction keeps the order of
  // objects, so what lies below has survived at least one.
  HeapWord*   _survived_to;

 public:
  H2Parallel() : _survivors(), _survived_to(nullptr) {}

  // h2Collectors.cpp and h2Collectors.inline.hpp choose these; H2Collectors says what they do.
  static bool select();
  static bool may_be_chosen();
  static const char* refusal();
  static inline bool is_young(oop obj);
  static inline bool is_discovering();
  static inline bool is_marked(oop obj);
  static inline bool unmark(oop obj);
  static inline void mark_again(oop obj);
  static inline void take_words(HeapWord* p, size_t words, H2TakenWords* taken);
  static inline void settle_words(H2TakenWords* taken);
  static inline HeapWord* first_marked(HeapWord* from, HeapWord* to);
  static inline HeapWord* last_marked(HeapWord* from, HeapWord* p);
  static inline void record_old_object(HeapWord* from, HeapWord* to);

  // Whether an object of the old generation that moves to H2 begins at the word.
  static bool moves_from(HeapWord* p);

  // One of the blocks of the old generation, or of those of H2, which follow.
  static void object_iterate_block(ObjectClosure* cl, size_t block);

  // See H2YoungGC::scan_roots.
  static void scan_young_roots(PSPromotionManager* pm);
  // See H2Marking.
  static bool scan_pending_region(ParCompactionManager* cm);
  // See H2ShapeMarking.
  static bool follow(oop obj, ParCompactionManager* cm);

  size_t marked_bytes() const override;
  size_t marked_bytes(MemRegion part) const override;
  uint num_spaces() const override;
  MemRegion space(uint i) const override;
  void add_survivors(GrowableArrayCHeap<MemRegion, mtGC>* pieces) const override;
  MemRegion old_objects() const override;
  MemRegion old_survivors() const override;
  bool is_young_empty() const override;
  WorkerThreads* workers() const override;

  H2HeapUse use() const override;

  MemRegion young_memory() const override;
  void add_dead_young(GrowableArrayCHeap<MemRegion, mtGC>* pieces, size_t wanted) const override;
  size_t spare_young_bytes() const override { return _survivors.spare_bytes(); }
  void give_back_young() override           { _survivors.give_back(); }
  void give_back_old() override;
  size_t give_back_eden(size_t kept) override;
  size_t give_back_survivors() override        { return _survivors.give_back_idle(); }
  size_t idle_survivor_bytes() const override  { return _survivors.idle_bytes(); }

  HeapWord* allocate_old(size_t words) override;

  void young_finished() override            { _survivors.young_finished(); }
  void full_finished() override;
};

#endif // SHARE_GC_H2_PARALLEL_H2PARALLEL_HPP
