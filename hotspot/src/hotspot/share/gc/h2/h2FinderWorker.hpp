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

#ifndef SHARE_GC_H2_H2FINDERWORKER_HPP
#define SHARE_GC_H2_H2FINDERWORKER_HPP

#include "gc/h2/h2MovedClasses.hpp"
#include "gc/h2/h2ObjectList.hpp"
#include "gc/h2/h2PreservedMarks.hpp"
#include "gc/h2/h2Rows.hpp"
#include "gc/shared/partialArraySplitter.hpp"
#include "gc/shared/taskqueue.hpp"
#include "memory/allocation.hpp"
#include "utilities/growableArray.hpp"

class H2Walk;

// Objects of a label that were followed.
struct H2LabelWords {
  size_t _small;
  size_t _large;   // in objects of more than H2Allocator::large_words()
};

// One worker's share of a trace.
class H2FinderWorker : public CHeapObj<mtGC> {
 public:
  typedef OverflowTaskQueue<ScannerTask, mtGC> Queue;

 private:
  // H2Auto takes arrays of so many bytes by themselves.
  static const size_t LargeBytes = 32 * K;
  // Claimed objects that a worker has for itself: it shares all but so many, and half of them, once nothing of it can be stolen.
  static const int OwnAtLeast = 8;
  static const int OwnAtMost = 256;
  // Elements of an array that are followed at a time. A thief mostly takes such a
  // piece, from the front of what is left, and not single elements from the end: rows of
  // a matrix keep their order.
  static const size_t PieceLength = 128;

  // As claim_root, but true if somebody has to see to it that it is followed.
  bool claim(oop obj, uint label_index);
  void count(uint label_index, size_t words);
  void leave_out(oop obj, size_t words, uint label_index);
  // The object in hand refers to this one.
  inline void see(oop obj);
  void see_elements(objArrayOop array, size_t start, size_t end);
  // Has what was seen followed.
  void claim_seen();
  // Has a claimed object followed, before all that was claimed earlier.
  void push(oop obj);
  void share_oldest();
  void drain_own();
  void meet_held(oop obj);
  void follow_object(oop obj);
  // A large array is followed in pieces, which other workers may steal.
  void follow_array(objArrayOop array);
  void follow_piece(PartialArrayState* state, bool stolen);

  Queue                               _queue;    // of what others may steal, claimed before what is in _own
  GrowableArrayCHeap<oop, mtGC>       _own;      // which takes no atomic operation
  PartialArraySplitter                _splitter;
  H2ObjectList                        _order;    // in which the graph was walked
  GrowableArrayCHeap<oop, mtGC>       _seen;     // in the object in hand, or in a piece of it
  GrowableArrayCHeap<oop, mtGC>       _met;      // claimed in the object in hand
  GrowableArrayCHeap<H2PreservedMark, mtGC> _marks;
  GrowableArrayCHeap<oop, mtGC>       _large;  // few objects, and perhaps most of the bytes: the sampler needs to know them
  GrowableArrayCHeap<oop, mtGC>       _held;   // constants met, and left to find_constants
  size_t                              _claimed;  // objects, followed by any worker
  size_t                              _words;
  const size_t                        _max_words;
  size_t                              _limit;    // of _words, for the group in hand
  uint                                _label;    // of the object in hand
  bool                                _take_constants;
  H2Walk*                             _walk;     // null while groups are found
  H2Rows                              _rows;
  H2MovedClasses                      _classes;  // of objects without a tag
  GrowableArrayCHeap<bool, mtGC>      _cut;      // by label index: left out for lack of room
  GrowableArrayCHeap<H2LabelWords, mtGC> _by_label; // by label index, of objects in the order

 public:
  H2FinderWorker(PartialArrayStateManager* open_arrays, uint num_workers, size_t max_words);

  static bool is_large(size_t words) { return words >= LargeBytes >> LogHeapWordSize; }

  Queue* queue()                            { return &_queue; }
  const H2ObjectList& order() const         { return _order; }
  GrowableArrayCHeap<H2PreservedMark, mtGC>* marks() { return &_marks; }
  const GrowableArrayCHeap<oop, mtGC>& large() const { return _large; }
  GrowableArrayCHeap<oop, mtGC>* held()   { return &_held; }
  size_t claimed() const                    { return _claimed; }
  size_t words() const                      { return _words; }
  // For so many more, within what all groups may have.
  bool has_room(size_t words) const         { return _words + words <= _max_words; }
  bool was_cut(uint label_index) const      { return (int)label_index < _cut.length() && _cut.at(label_index); }
  H2LabelWords words_of(uint label_index) const {
    return (int)label_index < _by_label.length() ? _by_label.at(label_index) : H2LabelWords{0, 0};
  }
  void set_take_constants()                    { _take_constants = true; }
  // Claims so many more words and no more, within what all groups may have.
  void set_limit(size_t words)              { _limit = _words + MIN2(words, _max_words - MIN2(_words, _max_words)); }

  // Makes the object a candidate of the label, unless it cannot move or another
  // worker was first. It will be followed.
  void claim_root(oop obj, uint label_index);
  // The same while objects without a tag are walked through, and follows it.
  void begin_walk(H2Walk* walk) { _walk = walk; }
  void walk_from(oop obj);
  void end_walk()               { _walk = nullptr; }
  bool is_full() const          { return _words >= _limit; }
  // Gives a claimed object its place in the order, and claims what it refers to,
  // which is followed next, first things first.
  void follow(ScannerTask task, bool stolen);
  void drain();
  // All that was claimed has been followed: the order has all of it.
  void finish();
};

#endif // SHARE_GC_H2_H2FINDERWORKER_HPP
