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

#include "gc/h2/h2ConcurrentMark.hpp"
#include "gc/h2/h2ConcurrentMarkThread.hpp"
#include "gc/h2/h2Fields.inline.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2ShapeBatch.hpp"
#include "gc/h2/h2ShapeMarking.inline.hpp"
#include "gc/h2/h2ShapeVisit.inline.hpp"
#include "gc/h2/h2Thread.hpp"
#include "logging/log.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/javaThread.inline.hpp"
#include "runtime/safepointMechanism.inline.hpp"
#include "utilities/ticks.hpp"

// The worker of H2ShapeMarking that marks beside the program, from one full GC to the next.
//
// Where the program has written to a block, it reads the reached objects if they are in memory. The look reads them once more: it
// may begin anywhere in between. So nothing depends on what the program does at the same time, and what was read only lets
// marking come further.
class H2ConcurrentMarker : public StackObj {
  // Objects between two safepoints.
  static const size_t Patience = 64;

  JavaThread* const             _thread;
  const uint                    _epoch;
  GrowableArrayCHeap<oop, mtGC> _stack;        // of objects that are read, and first words of blocks
  size_t                        _block;        // the last that was asked for
  bool                          _is_resident;
  ClassLoaderData*              _loader;       // the last that was kept
  size_t                        _visits;
  size_t                        _read;

  bool is_resident(size_t block) {
    if (block != _block) {
      _block = block;
      _is_resident = H2ShapeMarking::is_resident(block);
    }
    return _is_resident;
  }

  void see(HeapWord* from, oop target) {
    if (H2Heap::contains(target)) {
      H2RegionTable* const regions = H2Heap::regions();
      refer(regions->head(from), regions->head_index(target));
      if (H2Reached::add(target)) {
        H2ShapeMarking::push(target, this);
      }
    }
  }

 public:
  H2ConcurrentMarker(JavaThread* thread, uint epoch) :
    _thread(thread), _epoch(epoch), _stack(), _block(SIZE_MAX), _is_resident(false), _loader(nullptr), _visits(0), _read(0) {}

  size_t visits() const { return _visits; }
  size_t read() const   { return _read; }

  // Safepoints take place here. False if a full GC was among them.
  bool may_go_on() {
    if (SafepointMechanism::should_process(_thread)) {
      ThreadBlockInVM blocked(_thread);
    }
    return H2ConcurrentMark::is_marking(_epoch);
  }

  // H2ShapeMarking asks these of a worker. This one does not wait for a page, and reads blocks that refer to H1.
  void mark_target(oop obj) {}
  void push(oop obj) {
    if (is_resident(H2Shapes::block(cast_from_oop<HeapWord*>(obj)))) {
      _stack.append(obj);
    }
  }
  void refer(H2Region* from, uint to) {
    if (to != from->head()) {
      H2ConcurrentMark::note_dependency(from->head(), to);
    }
  }
  void keep(ClassLoaderData* loader) {
    if (loader != _loader && !loader->is_the_null_class_loader_data()) {
      _loader = loader;
      H2ConcurrentMark::note_loader(loader);
    }
  }
  void follow_part(oop array, MemRegion part) {
    h2_iterate_fields(array, part, [&](void* field, oop target) { see((HeapWord*)field, target); });
  }

  bool visited() {
    _visits++;
    while (_stack.is_nonempty()) {
      const oop obj = _stack.pop();
      if (!H2ShapeMarking::follow(obj, this)) {
        keep(obj->klass()->class_loader_data());
        h2_iterate_strong_fields(obj, [&](void*, oop target) { see(cast_from_oop<HeapWord*>(obj), target); });
      }
      if (++_read % Patience == 0 && !may_go_on()) {
        return false;
      }
    }
    return may_go_on();
  }

  bool prepare() {
    H2RegionTable* const regions = H2Heap::regions();
    if (!H2ShapeMarking::begin_ahead(this)) {
      return false;
    }
    for (uint i = 0; i < regions->limit(); i++) {
      if (regions->at(i)->is_in_use() && !H2ShapeMarking::begin_ahead(regions->at(i), this)) {
        return false;
      }
    }
    H2ConcurrentMark::prepared();
    return true;
  }
};

static void mark(JavaThread* thread, uint epoch) {
  const Ticks start = Ticks::now();
  H2ConcurrentMarker marker(thread, epoch);
  if (marker.prepare() && H2ShapeMarking::visit_ahead(&marker)) {
    H2ConcurrentMark::ended();
    H2ShapeUnpacker::free_own();
    log_info(gc, h2)("Marked H2 beside the program: %zu visits, %zu objects read, in %.3fs", marker.visits(), marker.read(),
                     (Ticks::now() - start).seconds());
  } else {
    log_info(gc, h2)("Marked a part of H2 beside the program: %zu visits, %zu objects read", marker.visits(), marker.read());
  }
}

void H2ConcurrentMarkThread::run(JavaThread* thread, TRAPS) {
  while (true) {
    mark(thread, H2ConcurrentMark::wait(thread));
  }
}

void H2ConcurrentMarkThread::start() {
  if (H2Heap::is_enabled()) {
    H2Thread::start("H2 Marker", &run);
  }
}
