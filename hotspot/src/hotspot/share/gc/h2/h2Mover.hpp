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

#ifndef SHARE_GC_H2_H2MOVER_HPP
#define SHARE_GC_H2_H2MOVER_HPP

#include "gc/h2/h2Allocator.hpp"
#include "gc/h2/h2GroupFinder.hpp"
#include "gc/h2/h2LabelOrder.hpp"
#include "gc/h2/h2MovePlaces.hpp"
#include "gc/h2/h2ObjectList.hpp"
#include "gc/h2/h2PreservedMarks.hpp"
#include "memory/allocation.hpp"
#include "memory/padded.hpp"
#include "utilities/bitMap.hpp"
#include "utilities/growableArray.hpp"

// A worker's part of a move: the objects that it followed when the groups were
// found, in that order. It gives them their addresses and copies them place by place,
// so its buffers fill in address order, and what the graph holds together lies together.
class H2MoveWorker : public CHeapObj<mtGC> {
  H2Allocator* const                  _allocator;
  const H2MovePlaces&                 _places;
  const H2ObjectList&                 _order;
  H2LabelOrder                        _by_place; // what found room
  CHeapBitMap                         _preserved; // by place in the order: see H2PreservedMarks
  GrowableArrayCHeap<H2Lab, mtGC>     _labs;     // by place
  GrowableArrayCHeap<size_t, mtGC>    _small;    // by place: words for LABs that have no address yet
  uint                                _part;     // label index of the part that is open in the shared LAB
  GrowableArrayCHeap<MemRegion, mtGC> _fillers;  // left by LABs
  size_t _buffers;                               // that copying took
  size_t _objects;
  size_t _words;
  size_t _refused;                               // objects for which there was no room
  GrowableArrayCHeap<bool, mtGC> _refused_labels; // by label index: whether such are of the label
  GrowableArrayCHeap<bool, mtGC> _moved_labels;   // by label index: whether others are
  DEFINE_PAD_MINUS_SIZE(0, DEFAULT_PADDING_SIZE, 0);  // the next one is another worker's

  static const uint NoPart = UINT_MAX;

  HeapWord* allocate(uint place, size_t words);
  void retire(H2Lab* lab);
  void begin_part(HeapWord* p, uint label_index, jlong label);
  inline void prefetch(size_t i, const H2PreservedMarks& marks) const;

 public:
  H2MoveWorker(H2Allocator* allocator, const H2MovePlaces& places, const H2FinderWorker& found);

  size_t small_words(uint place) const { return _small.at((int)place); }

  size_t stretches() const { return (size_t)_by_place.stretches(); }
  size_t buffers() const   { return _buffers; }
  size_t objects() const { return _objects; }
  size_t words() const   { return _words; }
  size_t refused() const { return _refused; }
  bool has_moved(uint label_index) const   { return (int)label_index < _moved_labels.length() && _moved_labels.at(label_index); }
  bool has_refused(uint label_index) const { return (int)label_index < _refused_labels.length() && _refused_labels.at(label_index); }

  void assign(const GrowableArrayCHeap<jlong, mtGC>& labels, const H2PreservedMarks& marks);
  void retire_labs();
  void copy(const H2PreservedMarks& marks);
  void fill_holes();
};

// Moves candidates from H1 to H2 within one full GC:
//
//   assign  after marking: each candidate gets an address in H2 and is taken out
//           of the mark bitmap and of the summary data, so that the collector's
//           own phases see a dead object
//   copy    after the collector has adjusted its pointers and before it compacts:
//           candidates are copied out, with their references fixed
//
// Both are parallel, each worker with what it followed.
class H2Mover : public CHeapObj<mtGC> {
  H2Allocator* const                      _allocator;
  const uint                              _num_workers;
  const GrowableArrayCHeap<jlong, mtGC>&  _labels;
  const H2MovePlaces                      _places;
  const H2PreservedMarks&                 _marks;
  GrowableArrayCHeap<H2MoveWorker*, mtGC> _workers;

  friend class H2AssignTask;
  friend class H2CopyTask;

  void open_runs();
  void sort_parts();
  template <typename F> size_t sum(F field) const;

 public:
  H2Mover(H2Allocator* allocator, H2GroupFinder* finder, uint num_workers, const H2PreservedMarks& marks);
  ~H2Mover();

  void assign();
  void copy();

  size_t objects() const;
  size_t words() const;
  size_t refused() const;
  // Times that a worker went from one label to another.
  size_t stretches() const;
  size_t buffers() const;
  // Some of the label's objects have.
  bool has_moved(uint label_index) const;
  // Objects of the label found no room.
  bool has_refused(uint label_index) const;
};

#endif // SHARE_GC_H2_H2MOVER_HPP
