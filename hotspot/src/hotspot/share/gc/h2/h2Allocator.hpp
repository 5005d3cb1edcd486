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

#ifndef SHARE_GC_H2_H2ALLOCATOR_HPP
#define SHARE_GC_H2_H2ALLOCATOR_HPP

#include "gc/h2/h2Labels.hpp"
#include "memory/allocation.hpp"
#include "memory/memRegion.hpp"
#include "utilities/globalDefinitions.hpp"

class H2Region;

// Hands out the address space of H2 to one move. Each label fills one open run of
// regions at a time: one that is as long as is needed at first, and then runs of twice
// as many regions each, up to longest_run. So thousands of small labels need little
// address space, and a large label has few runs, which is what dependencies are kept
// for. Small labels that share regions (see H2MovePlaces) count as one label here, with
// runs of one region, as each lives as long as any of its labels does. Workers take local allocation buffers (LABs) from the open run, so that they meet
// at the lock rarely and write to different units.
//
// Every LAB and every large object starts at a multiple of a grain: units are what is submitted, and a block has
// one shape, which one worker makes. Behind the last object the row of objects goes on with a filler to the
// end of the grain (pad_end).
class H2Allocator {
  static H2LabelMap<H2Region*>* _open;  // the open run of each label, from one move to the next
  static size_t _large_words;

  size_t _budget;                       // bytes that the backend will still take

  static H2Region* allocate_run(jlong label, uint least, uint wanted);
  static H2Region* open_run(jlong label, size_t words);
  MemRegion bump(H2Region* region, size_t words);

 public:
  // When H2 is set up.
  static void initialize();

  explicit H2Allocator(size_t budget_bytes) : _budget(budget_bytes) {}

  static uint regions_for(size_t words);
  // In regions.
  static uint longest_run();
  static size_t lab_words();
  // An object of more words is allocated by itself.
  static size_t large_words() { return _large_words; }
  // The larger one of the engine's unit and a shape's block.
  static size_t grain_words();
  // End of the filler behind an object that ends at p.
  static HeapWord* pad_end(HeapWord* p);

  // Another budget, now that more is known of what moves.
  void set_budget(size_t bytes) { _budget = bytes; }
  size_t budget() const         { return _budget; }

  // Whether more of the label goes to a run that it has already.
  static bool has_open_run(jlong label);

  // Before the workers: gives a label that has no open run one for so many words, next to
  // that of the label before, if it may.
  void open(jlong label, size_t words);

  // A LAB for an object of so many words, and for as many as wanted, but for no more than
  // lab_words. An empty MemRegion when H2 or the backend is full.
  MemRegion allocate_lab(jlong label, size_t least, size_t wanted);
  // Space for one object of more than half a LAB, padded to grains.
  MemRegion allocate_large(jlong label, size_t words);
  // Takes back what a LAB did not use. Returns what has to be made a filler.
  MemRegion retire(MemRegion lab, HeapWord* top);

  // Forgets open runs that died, or are about to.
  static void forget_freed();
};

// A worker's LAB for one label.
class H2Lab {
  MemRegion _space;
  HeapWord* _top;

 public:
  H2Lab() : _space(), _top(nullptr) {}
  explicit H2Lab(MemRegion space) : _space(space), _top(space.start()) {}

  HeapWord* allocate(size_t words);
  MemRegion space() const  { return _space; }
  HeapWord* top() const    { return _top; }
  bool is_empty() const    { return _space.is_empty(); }
};

#endif // SHARE_GC_H2_H2ALLOCATOR_HPP
