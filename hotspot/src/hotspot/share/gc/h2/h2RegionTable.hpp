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

// All regions of H2, by index. Allocation of regions is single threaded or under
// the allocator's lock.
class H2RegionTable : public CHeapObj<mtGC> {
  const MemRegion _range;
  const int       _shift;      // log2 of the region size in bytes
  const uint      _length;
  H2Region* const _regions;    // those from _limit on are not initialized
  uint            _limit;      // regions that were ever in use, and all before them
  uint            _in_use;     // regions that are not free
  size_t          _freed;      // regions freed since the VM started
  volatile size_t _used_bytes; // below the tops of all regions in use
  uint            _hint;       // no free region below

  void raise_limit(uint limit);
  uint find_free(uint run) const;
  bool are_free(uint first, uint end) const;
  void disclaim_tables(uint first, uint end);
  void set_free(H2Region* head);
  DEBUG_ONLY(size_t count_used_bytes() const;)
  // The memory of free regions, in every tier.
  void give_back(uint first, uint end);

  friend class H2RegionFreer;

 public:
  H2RegionTable(MemRegion range, size_t region_bytes);

  uint length() const                  { return _length; }
  // What loops over regions goes up to here: the rest was never in use.
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
  // Frees the regions [first, end) of one run, which may be all of it: what is left on
  // either side are runs.
  void free_part(uint first, uint end);
  // The row of objects in a run ends at p now. By several threads, each for runs of its own.
  void set_top(H2Region* head, HeapWord* p);
  size_t used_bytes() const;
  // DRAM that the cards and object starts of all regions take.
  size_t table_bytes() const;
};

// Frees runs, and gives the memory of those that lie side by side back by one call.
class H2RegionFreer : public StackObj {
  H2RegionTable* const _regions;
  uint                 _first;   // what is free and not given back yet
  uint                 _end;

 public:
  explicit H2RegionFreer(H2RegionTable* regions) : _regions(regions), _first(0), _end(0) {}
  ~H2RegionFreer() { finish(); }

  // In ascending order.
  void free(H2Region* head);
  void finish();
};

// Shares the regions in use out to workers.
class H2RegionClaimer {
  // Regions of a label that has many lie in runs, of which the first stands for all.
  static const uint Stride = 64;

  volatile uint _next;

 public:
  H2RegionClaimer() : _next(0) {}
  void reset() { _next = 0; }

  // Calls f with each region in use that no other worker has claimed.
  template <typename Function>
  inline void each(Function f);
};

#endif // SHARE_GC_H2_H2REGIONTABLE_HPP
