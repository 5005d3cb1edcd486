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

#ifndef SHARE_GC_H2_H2SHAPEVISIT_INLINE_HPP
#define SHARE_GC_H2_H2SHAPEVISIT_INLINE_HPP

#include "gc/h2/h2ConcurrentMark.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2HotObjects.inline.hpp"
#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/h2/h2Reached.inline.hpp"
#include "gc/h2/h2Referents.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2ShapeMarking.inline.hpp"
#include "gc/h2/h2Targets.hpp"
#include "oops/oop.inline.hpp"
#include "utilities/align.hpp"

// One worker's visit of a block: follows objects that were reached.
template <typename Worker>
class H2ShapeVisit : public StackObj {
  static const uint Remembered = 8;

  const size_t     _block;
  Worker* const    _worker;
  H2Region* const  _region;
  HeapWord*        _pos;         // what is followed
  bool             _again;       // something before it was reached
  ClassLoaderData* _loader;      // the last that was kept
  uint             _targets[Remembered];

  void refer_to_region(uint target) {
    uint* const remembered = &_targets[target % Remembered];
    if (*remembered != target) {
      *remembered = target;
      _worker->refer(_region, target);
    }
  }

  void mark(HeapWord* target) {
    assert(H2Heap::regions()->is_allocated(target) && !H2Heap::regions()->head(target)->is_returning(),
           "a shape refers to " PTR_FORMAT, p2i(target));
    refer_to_region(H2Heap::regions()->head_index(target));
    const oop obj = cast_to_oop(target);
    if (!H2Reached::add(obj)) {
      return;
    }
    if (H2Shapes::block(target) != _block) {
      H2ShapeMarking::push(obj, _worker);
    } else if (target < _pos) {
      _again = true;
    }
  }

  // True if some have to change, as they refer to hot objects.
  bool follow_references(H2ShapeReader* reader, uint64_t count, H2ShapeEntry::Referent first = H2ShapeEntry::NoReferent) {
    bool have_to_change = false;
    bool is_followed = H2Referents::is_followed(first);
    for (uint64_t i = 0; i < count; i++) {
      HeapWord* const target = H2Shapes::at_word(reader->reference());
      if (H2HotObjects::is_hot(target)) {
        have_to_change = true;
      } else if (is_followed) {
        mark(target);
      }
      is_followed = true;
    }
    return have_to_change;
  }

  // The block's shape holds still for what else is followed in this GC.
  void change(oop obj, MemRegion part) {
    H2Shapes::note_stale(H2Shapes::address(_block));
    _worker->follow_part(obj, part);
  }

  void follow_carried(H2ShapeReader* reader) {
    if (reader->carried() == 0) {
      return;
    }
    HeapWord* const array = H2Heap::starts()->block_start_reaching_into_card(H2Shapes::address(_block));
    if (H2Reached::contains(cast_to_oop(array))) {
      if (follow_references(reader, reader->carried())) {
        H2Shapes::note_stale(H2Shapes::address(_block));
        H2ShapeMarking::read_carried(_block, _worker);
      }
    } else {
      reader->skip(reader->carried());
    }
  }

  void keep(ClassLoaderData* loader) {
    if (loader != _loader) {
      _loader = loader;
      _worker->keep(loader);
    }
  }

  void follow(H2ShapeReader* reader, const H2ShapeEntry& entry) {
    if (entry._loader != 0) {
      keep((ClassLoaderData*)reader->loader(entry._loader));
    }
    const bool is_spanning = entry._kind == H2ShapeEntry::Spanning;
    if (follow_references(reader, entry._references, entry._referent)) {
      // An instance may reach into the next block, and its shape has all that it refers to.
      change(cast_to_oop(_pos), MemRegion(_pos, is_spanning ? H2Shapes::address(_block + 1) : _pos + entry._words));
    }
    if (is_spanning && H2ShapeMarking::set(_block, H2ShapeMarking::GoesOn)) {
      H2ShapeMarking::go_on(_pos, _pos + entry._words, _worker);
    }
  }

  void pass() {
    H2ShapeReader reader = H2Shapes::reader(_block);
    _again = false;
    _pos = H2Shapes::address(_block);
    follow_carried(&reader);
    reader.begin_entries();
    _pos += reader.first();
    H2ShapeEntry entry;
    while (reader.next(&entry)) {
      if (entry.is_object() && H2Reached::contains(cast_to_oop(_pos))) {
        follow(&reader, entry);
      } else {
        reader.skip(entry._references);
      }
      _pos += entry._words;
    }
  }

 public:
  H2ShapeVisit(size_t block, Worker* worker) :
    _block(block), _worker(worker), _region(H2Heap::regions()->head(H2Shapes::address(block))), _pos(nullptr), _again(false), _loader(nullptr) {
    for (uint i = 0; i < Remembered; i++) {
      _targets[i] = UINT_MAX;
    }
  }

  void visit() {
    if (H2ShapeMarking::clear(_block, H2ShapeMarking::Targets)) {
      H2Targets::each(_block, [&](oop target) { _worker->mark_target(target); });
    }
    do {
      pass();
    } while (_again);
  }
};

template <typename Worker>
void H2ShapeMarking::visit(size_t block, Worker* worker) {
  // Before bits are looked at: whoever sets one from now on has the block visited again.
  clear(block, Waits | Queued);
  Atomic::inc(&_visits, memory_order_relaxed);
  H2ShapeVisit<Worker>(block, worker).visit();
}

// Has the array's elements in blocks behind its first followed.
template <typename Worker>
void H2ShapeMarking::go_on(HeapWord* array, HeapWord* end, Worker* worker) {
  for (size_t block = H2Shapes::block(array) + 1; H2Shapes::address(block) < end; block++) {
    if (is_shaped(block)) {
      wait(block);
    } else if (set(block, Waits)) {
      worker->push(cast_to_oop(H2Shapes::address(block)));
    }
  }
}

// Those in a block that is read. Only here the array's header is.
template <typename Worker>
void H2ShapeMarking::read_carried(size_t block, Worker* worker) {
  HeapWord* const from = H2Shapes::address(block);
  const oop array = cast_to_oop(H2Heap::starts()->block_start_reaching_into_card(from));
  HeapWord* const end = cast_from_oop<HeapWord*>(array) + array->size();
  worker->follow_part(array, MemRegion(from, MIN2(H2Shapes::address(block + 1), end)));
}

// Has objects followed that were reached before, in a block that is read.
template <typename Worker>
void H2ShapeMarking::read_reached(size_t block, Worker* worker) {
  HeapWord* const from = H2Shapes::address(block);
  count_read();
  H2Reached::each(MemRegion(from, H2Shapes::address(block + 1)), [&](oop obj) { worker->push(obj); });
  if (is_reached_into(block)) {
    worker->push(cast_to_oop(from));
  }
}

// Those before come off the stack first, as objects mostly refer to what lies behind them.
template <typename Worker>
bool H2ShapeMarking::queue_some(Worker* worker) {
  ClassLoaderData* loader;
  if (H2ConcurrentMark::take_loader(&loader)) {
    worker->keep(loader);
    return true;
  }
  size_t chunk;
  if (_queue == nullptr || !_queue->take(&chunk)) {
    return false;
  }
  const size_t first = chunk * H2ShapeChunk::Blocks;
  for (size_t block = first + H2ShapeChunk::Blocks; block-- > first;) {
    if (has(block, Again) && clear(block, Again)) {
      read_reached(block, worker);
    } else if (queue(block)) {
      worker->push(cast_to_oop(H2Shapes::address(block)));
    }
  }
  return true;
}

template <typename Worker>
bool H2ShapeMarking::begin_ahead(Worker* worker) {
  begin_queue();
  const size_t end = H2Shapes::used_chunks();
  for (size_t from = 0; from < end; from += AtOnce) {
    forget(from, MIN2(from + AtOnce, end));
    if (!worker->may_go_on()) {
      return false;
    }
  }
  return true;
}

template <typename Worker>
bool H2ShapeMarking::begin_ahead(const H2Region* region, Worker* worker) {
  const size_t end = H2Shapes::block(region->top());
  for (size_t block = H2Shapes::block(region->bottom()); block < end; block++) {
    begin_block(region, block);
    if (block % AtOnce == 0 && !worker->may_go_on()) {
      return false;
    }
  }
  return worker->may_go_on();
}

template <typename Worker>
bool H2ShapeMarking::visit_ahead(Worker* worker) {
  size_t chunk;
  while (_queue->take(&chunk)) {
    const size_t first = chunk * H2ShapeChunk::Blocks;
    for (size_t block = first; block < first + H2ShapeChunk::Blocks; block++) {
      // A block that was settled since may have no shape any more, and the look reads it.
      if (is_shaped(block) && has(block, Waits) && H2Shapes::has_shape(block)) {
        visit(block, worker);
      } else if (has(block, Again) && clear(block, Again)) {
        read_reached(block, worker);
      } else {
        continue;
      }
      if (!worker->visited()) {
        return false;
      }
    }
  }
  return true;
}

template <typename Worker>
bool H2ShapeMarking::follow(oop obj, Worker* worker) {
  HeapWord* const p = cast_from_oop<HeapWord*>(obj);
  const size_t block = H2Shapes::block(p);
  if (is_shaped(block)) {
    visit(block, worker);
    return true;
  }
  set(block, WasRead);
  if (!H2Reached::contains(obj)) {
    read_carried(block, worker);
    return true;
  }
  HeapWord* const block_end = H2Shapes::address(block + 1);
  if (!obj->is_objArray() || p + obj->size() <= block_end) {
    return false;
  }
  worker->follow_part(obj, MemRegion(p, block_end));
  // The lift may come again for what else lies in the block.
  if (set(block, GoesOn)) {
    go_on(p, p + obj->size(), worker);
  }
  return true;
}

#endif // SHARE_GC_H2_H2SHAPEVISIT_INLINE_HPP
