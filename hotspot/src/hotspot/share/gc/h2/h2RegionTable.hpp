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

// All regions of H2, by index. Allocation of regions is single threaded or under
// the allocator's lock.
class H2RegionTable : public CHeapObj<mtGC> {
  const MemRegion _range;
  const int       _shift;      // log2 of the region size in bytes
  const uint      _length;
  H2Region* const _regions;
  uint            _in_use;     // regions that are not free
  size_t          _freed;      // regions freed since the VM started
  uint            _hint;       // no free region below

  bool are_free(uint first, uint end) const;
  void disclaim_tables(uint first, uint end);

 public:
  H2RegionTable(MemRegion range, size_t region_bytes);

  uint length() const                  { return _length; }
  uint in_use() const                  { return _in_use; }
  uint available() const               { return _length - _in_use; }
  size_t freed() const                 { return _freed; }
  size_t region_words() const          { return (size_t)1 << (_shift - LogHeapWordSize); }
  HeapWord* address(uint index) const  { return _range.start() + index * region_words(); }
  H2Region* at(uint index) const       { assert(index < _length, "no such region"); return &_regions[index]; }

  // Index of the head of the run that p lies in.
  inline uint head_index(const void* p) const;
  inline H2Region* head(const void* p) const;
  // Does p lie below the top of a region in use?
  inline bool is_allocated(const HeapWord* p) const;

  // A run of free regions, cards clean; null when there is none.
  H2Region* allocate(jlong label, uint run);
  // Frees a run and gives its memory back in every tier.
  void free(H2Region* head);

  size_t used_bytes() const;
  // DRAM that the cards and object starts of all regions take.
  size_t table_bytes() const;
};

#endif // SHARE_GC_H2_H2REGIONTABLE_HPP
