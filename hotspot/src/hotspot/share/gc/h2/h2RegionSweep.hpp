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

#ifndef SHARE_GC_H2_H2REGIONSWEEP_HPP
#define SHARE_GC_H2_H2REGIONSWEEP_HPP

#include "gc/h2/h2ByteBuffer.hpp"
#include "gc/h2/h2ObjectBits.hpp"
#include "gc/h2/h2ShapeMaker.hpp"
#include "gc/h2/h2Targets.hpp"
#include "memory/allocation.hpp"
#include "oops/oopsHierarchy.hpp"

class ClassLoaderData;
class H2Region;
class H2SweepResult;

// One worker's sweep of one region (see H2Sweeper), block by block:
//
//   pass     all that begins in it lives, and its shape need not be unpacked to know that
//   keep     nothing has died: the shape holds still
//   change   something has: a new shape is made from the old one, and memory is not read
//   read     there is no shape, or a stale one: the new one is made from memory, which marking has read
//
// The space between two live objects becomes one gap in the shape. Memory gets its filler
// when somebody wants the page (see H2Shapes::settle).
class H2RegionSweep : public StackObj {
  // Free entries behind the last live object, as far as they are known.
  struct Free {
    size_t             _entries;
    uint64_t           _words;   // of the last of them
    H2ShapeEntry::Kind _kind;
  };

  const H2ObjectBits&  _reached;
  H2SweepResult* const _result;
  H2Region* const      _region;
  H2ShapeMaker         _maker;
  H2ByteBuffer         _taken;    // the shape of a block that changes
  HeapWord*            _end;      // of the last object that lives
  oop                  _array;    // that object, if it is an array of references that ends in another block; else null
  Free                 _free;
  ClassLoaderData*     _loader;   // the last that was noted
  H2Targets::References _before;  // of a block, as they were known
  H2Targets::References _targets; // as they are

  bool covers_start_of(size_t block) const { return H2Shapes::address(block) < _end; }
  bool all_live(size_t block) const;
  bool lives_whole(size_t block) const;
  void pass(size_t block);
  bool has_changed(size_t block) const;
  void keep(size_t block);
  void change(size_t block);
  void change_object(H2ShapeReader* reader, const H2ShapeEntry& entry, HeapWord* p, size_t block, bool has_referents);
  void keep_targets(HeapWord* from, HeapWord* to, int* known);
  void read(size_t block);
  void add_target(oop obj, void* p, oop target);
  void add_referent(oop obj);
  void add_references(oop obj, MemRegion part = MemRegion());
  void read_object(oop obj, HeapWord* block_end);
  void sweep_block(size_t block);

  void live(HeapWord* p, size_t words, ClassLoaderData* loader);
  void add_free(const H2ShapeEntry& entry);
  bool is_one_free_entry(HeapWord* start, HeapWord* end) const;

  void clean(HeapWord* start, HeapWord* end);
  void clean_tail(HeapWord* start);
  void discard(HeapWord* start, HeapWord* end);
  void make_gap(HeapWord* start, HeapWord* end);
  void fill(HeapWord* start, HeapWord* end);

 public:
  H2RegionSweep(const H2ObjectBits& reached, H2SweepResult* result, H2Region* region);
  void sweep();
};

#endif // SHARE_GC_H2_H2REGIONSWEEP_HPP
