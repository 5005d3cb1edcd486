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

#ifndef SHARE_GC_H2_H2SHAPEMARKING_HPP
#define SHARE_GC_H2_H2SHAPEMARKING_HPP

#include "gc/h2/h2Shapes.hpp"
#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/globalDefinitions.hpp"

class H2FarBytes;
class H2Region;
class H2ShapeQueue;

// Marks H2 from shapes, while H2Liveness looks.
//
// Blocks take the place of objects: one waits if it has objects that marking has reached, and not followed. A worker
// visits it: it follows all that were reached until now, in one pass over the shape. If others are reached later the block
// waits again.
//
// Workers come to blocks that wait when their stacks are empty, and in the order of addresses, over and over, like a lift.
// By then most of what a block has was reached. From the stack, a block would come back as soon as one object is.
// Each worker takes a chunk of blocks at a time, and its stack gets them: idle workers see them there, and steal.
//
// A block is read instead, object by object as in H1, if its shape is stale, or if one of its cards is not clean: references to
// H1 are in no shape. But H2Targets may know what all of its objects refer to in H1. That will do, if the look need not be exact.
// If a page of it is not in memory, it waits for the lift, too. From the stack, such pages would come in random order, over and
// over. But where the lift comes to all of them often, as for a long list in random order, it saves nothing, and the stack does.
//
// An array of references may reach over many blocks. Each has the part of its elements that lies in
// it. A block is on a stack as its first word.
class H2ShapeMarking : AllStatic {
  enum State : uint8_t {
    Shaped  = 1,   // else it is read
    Waits   = 2,
    GoesOn  = 4,   // the array in which it ends was reached, and so blocks behind it
    WasRead = 8,
    Queued  = 16,  // it waits, and is on a stack
    Again   = 32,  // it is read, and objects in it were reached before
    Targets = 64   // those in H1 are marked by the first visit (see H2Targets)
  };

  // A safepoint may wait for so many chunks, or blocks.
  static const size_t AtOnce = 1024;
  // The lift reads each block so often at most, in the mean of all of H2.
  static const size_t MostReads = 16;

  static H2ShapeQueue*   _queue;     // from prepare(), or from begin_ahead(), to finish()
  static volatile bool   _is_lost;   // a block has no state, for want of memory
  static bool            _is_exact;
  static volatile bool   _reads_far;  // blocks wait for the lift whose pages are not in memory
  static size_t          _most_reads;

  static volatile size_t _visits;
  static volatile size_t _reads;     // of blocks by the lift
  static volatile size_t _far;       // bytes that are read, and not resident

  friend class H2ShapeModeTask;

  // The state in the current look. Null if nobody knows anything of the block: then the look reads it.
  static volatile uint8_t* state(size_t block) {
    H2ShapeChunk* const chunk = H2ShapeTable::chunk(block);
    return chunk == nullptr ? nullptr : &chunk->_states[H2ShapeTable::index(block)];
  }
  static bool has(size_t block, State flag) {
    const volatile uint8_t* const p = state(block);
    return p != nullptr && (*p & flag) != 0;
  }
  // True for the one caller that set the flag, and where nothing is known of the block.
  static inline bool set(size_t block, State flag);
  // True if one of them was set.
  static inline bool clear(size_t block, uint8_t flags);

  static void begin_queue();
  static void forget(size_t from_chunk, size_t to_chunk);
  static void forget(const H2Region* region);
  static void choose_modes(H2Region* region);
  static void begin_block(const H2Region* region, size_t block);
  static uint8_t mode(const H2Region* region, size_t block, H2FarBytes* far);
  static uint8_t after_marking_ahead(size_t block, uint8_t ahead, uint8_t mode);
  static bool has_reached(size_t block);
  static bool is_reached_into(size_t block);
  template <typename Function>
  static void each_block(const H2Region* region, Function f);

  static void begin_reads();
  static inline void count_read();
  static inline void wait(size_t block);
  static inline void wait_to_be_read(size_t block);
  static inline bool queue(size_t block);
  template <typename Worker>
  static void visit(size_t block, Worker* worker);
  template <typename Worker>
  static void go_on(HeapWord* array, HeapWord* end, Worker* worker);
  template <typename Worker>
  static void read_carried(size_t block, Worker* worker);
  template <typename Worker>
  static void read_reached(size_t block, Worker* worker);

  template <typename Worker>
  friend class H2ShapeVisit;

 public:
  // A look begins, or may: decides which blocks are read. Returns the bytes of those that this GC would not
  // read anyway. If it is exact, a dead object keeps nothing of H1 alive. Else one that lies beside a live one may.
  static size_t prepare(bool is_exact);
  // Whether prepare() had no memory to note which blocks were reached ahead.
  static bool is_lost()       { return _is_lost; }
  // It has marked.
  static void finish();
  // There is none: what waits is not visited.
  static void end();

  // Marking begins beside the program: in all of H2, and region by region. Blocks wait in which something was recorded. The worker's
  // may_go_on() is asked now and then; false if it was.
  template <typename Worker>
  static bool begin_ahead(Worker* worker);
  template <typename Worker>
  static bool begin_ahead(const H2Region* region, Worker* worker);
  // Visits blocks as long as some wait. Then true, or false if worker->visited() was false after a visit.
  template <typename Worker>
  static bool visit_ahead(Worker* worker);

  // Whether nobody waits for a page of the block.
  static bool is_resident(size_t block);
  // Whether the current look follows the block's shape.
  static bool is_shaped(size_t block) { return has(block, Shaped); }

  // Marking has reached the object of H2, which none has reached before.
  template <typename Worker>
  static inline void push(oop obj, Worker* worker);
  // The worker's stack is empty: puts blocks on it that wait. False if there are none.
  template <typename Worker>
  static bool queue_some(Worker* worker);
  // The object, or a block's first word, comes back from the stack. False if it is to be read like any other. Beside what
  // H2Marking asks for, the worker has
  //   void follow_part(oop array, MemRegion part)   marks what these elements refer to
  template <typename Worker>
  static bool follow(oop obj, Worker* worker);
};

#endif // SHARE_GC_H2_H2SHAPEMARKING_HPP
