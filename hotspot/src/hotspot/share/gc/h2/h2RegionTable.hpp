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

#ifndef SHARE_GC_H2_H2REGIONTABLE_HPP
#define SHARE_GC_H2_H2REGIONTABLE_HPP

#include "gc/h2/h2Region.hpp"
#include "memory/allocation.hpp"
#include "memory/memRegion.hpp"
#include "oops/oopsHierarchy.hpp"

class CardTable;
class H2ObjectStarts;

// All regions of H2, by index. Allocation of regions is single threaded or under
// the allocator's lock. H2RegionFreer frees them.
class H2RegionTable : public CHeapObj<mtGC> {
  const MemRegion       _range;
  const int             _shift;      // log2 of the region size in bytes
  const uint            _length;
  CardTable* const      _cards;
  H2ObjectStarts* const _starts;
  H2Region* const       _regions;    // those from _limit on are not initialized
  uint            _limit;      // regions that were ever in use, and all before them
  uint            _in_use;     // regions that are not free
  size_t          _freed;      // regions freed since the VM started
  volatile size_t _used_bytes; // below the tops of all regions in use
  uint            _hint;       // no free region below

  void raise_limit(uint limit);
  uint find_free(uint run) const;
  bool are_free(uint first, uint end) const;
  MemRegion cards_of(MemRegion mr) const;
  void disclaim_tables(uint first, uint end);
  void set_free(H2Region* head);
  // The regions [first, end) of one run.
  void set_part_free(uint first, uint end);
  DEBUG_ONLY(size_t count_used_bytes() const;)

  friend class H2RegionFreer;

 public:
  H2RegionTable(MemRegion range, size_t region_bytes, CardTable* cards, H2ObjectStarts* starts);

  uint length() const                  { return _length; }
  // A loop over regions goes up to here: the rest was never in use.
  uint limit() const                   { return _limit; }
  uint in_use() const                  { return _in_use; }
  uint available() const               { return _length - _in_use; }
  size_t freed() const                 { return _freed; }
  size_t region_words() const          { return (size_t)1 << (_shift - LogHeapWordSize); }
  HeapWord* address(uint index) const  { return _range.start() + index * region_words(); }
  H2Region* at(uint index) const       { assert(index < _limit, "no such region"); return &_regions[index]; }

  // Index of the region at p, which may be the end of H2.
  inline uint index(const void* p) const;

  // Index of the head of the run that p lies in.
  inline uint head_index(const void* p) const;
  inline uint head_index(oop obj) const;
  inline H2Region* head(const void* p) const;
  // Does p lie below the top of a region in use?
  inline bool is_allocated(const HeapWord* p) const;

  // A run of free regions, cards clean; null when there is none. The first one that is long enough.
  H2Region* allocate(jlong label, uint run);
  // The row of objects in a run ends at p now. By several threads, each for runs of its own.
  void set_top(H2Region* head, HeapWord* p);
  size_t used_bytes() const;
  // DRAM that the cards and object starts of all regions take.
  size_t table_bytes() const;
};

#endif // SHARE_GC_H2_H2REGIONTABLE_HPP
