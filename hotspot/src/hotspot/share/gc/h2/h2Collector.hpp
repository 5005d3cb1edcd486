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

#ifndef SHARE_GC_H2_H2COLLECTOR_HPP
#define SHARE_GC_H2_H2COLLECTOR_HPP

#include "memory/allocation.hpp"
#include "memory/memRegion.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

class WorkerThreads;

// Bytes of H1 by generation.
struct H2HeapUse {
  size_t _old_used;
  size_t _old_committed;
  size_t _old_max;
  size_t _young_committed;
  size_t _eden_free;        // can be allocated until the next young GC; not exact while threads allocate
  size_t _eden_capacity;
  size_t _promoted_lately;  // by the last young GCs, on average, and some more
};

// All that H2 asks of the collector of H1 a few times in a GC. Questions that come before there is a heap, or for each object
// or reference, H2Collectors answers.
//
// In the other direction the collector's phases call H2YoungGC and H2FullGC, and its marking
// calls H2Marking. Where H2 hands references back, the collector's worker is a template
// parameter.
class H2Collector : public CHeapObj<mtGC> {
 public:
  // Marked objects of H1 have so many bytes. In a full GC between marking and compaction.
  virtual size_t marked_bytes() const = 0;
  // The same for a part of a space, roughly.
  virtual size_t marked_bytes(MemRegion part) const = 0;

  // Where objects of H1 lie.
  virtual uint num_spaces() const = 0;
  virtual MemRegion space(uint i) const = 0;
  // Adds the places, in pieces that workers share out, whose objects have survived a full GC.
  virtual void add_survivors(GrowableArrayCHeap<MemRegion, mtGC>* pieces) const = 0;

  // The old generation, and what lies in it of objects that have survived a full GC. In a full
  // GC, before objects slide.
  virtual MemRegion old_objects() const = 0;
  virtual MemRegion old_survivors() const = 0;
  virtual bool is_young_empty() const = 0;

  // The threads that collect; their number does not change within a GC.
  virtual WorkerThreads* workers() const = 0;

  // At any time.
  virtual H2HeapUse use() const = 0;

  // The committed memory of the young generation.
  virtual MemRegion young_memory() const = 0;
  // Bytes of it that hold no object, and will hold none in the next young GC.
  virtual size_t spare_young_bytes() const = 0;
  // Adds pieces of it that nothing marked lies in, of about so many bytes together, or all of them.
  // In a full GC between marking and compaction.
  virtual void add_dead_young(GrowableArrayCHeap<MemRegion, mtGC>* pieces, size_t wanted) const = 0;
  // Gives free memory of a generation back to the kernel. At the end of a GC, by the VM thread.
  virtual void give_back_young() = 0;
  virtual void give_back_old() = 0;
  // Gives all of eden back but for so many free bytes, at a safepoint. Returns how many those were.
  virtual size_t give_back_eden(size_t kept) = 0;
  // Bytes of the survivor spaces that hold no object, but may hold some after the next young GC.
  virtual size_t idle_survivor_bytes() const = 0;
  // Gives them back, at a safepoint. Returns how many those were.
  virtual size_t give_back_survivors() = 0;

  // Before marking: a place in the old generation; null if there is none.
  virtual HeapWord* allocate_old(size_t words) = 0;

  // At the end of a GC, by the VM thread.
  virtual void young_finished() = 0;
  virtual void full_finished() = 0;
};

#endif // SHARE_GC_H2_H2COLLECTOR_HPP
