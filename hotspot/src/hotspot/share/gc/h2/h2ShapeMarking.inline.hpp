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

#ifndef SHARE_GC_H2_H2SHAPEMARKING_INLINE_HPP
#define SHARE_GC_H2_H2SHAPEMARKING_INLINE_HPP

#include "gc/h2/h2ShapeMarking.hpp"

#include "gc/h2/h2ShapeQueue.hpp"
#include "runtime/atomic.hpp"

inline bool H2ShapeMarking::set(size_t block, State flag) {
  volatile uint8_t* const p = state(block);
  if (p == nullptr) {
    return true;
  }
  uint8_t old = *p;
  while ((old & flag) == 0) {
    const uint8_t seen = Atomic::cmpxchg(p, old, (uint8_t)(old | flag));
    if (seen == old) {
      return true;
    }
    old = seen;
  }
  return false;
}

// The block has waited, so it has a state.
inline bool H2ShapeMarking::clear(size_t block, uint8_t flags) {
  volatile uint8_t* const p = state(block);
  uint8_t old = *p;
  uint8_t seen;
  while ((seen = Atomic::cmpxchg(p, old, (uint8_t)(old & ~flags))) != old) {
    old = seen;
  }
  return (old & flags) != 0;
}

inline void H2ShapeMarking::wait(size_t block) {
  if (set(block, Waits)) {
    _queue->add(H2ShapeTable::chunk_index(block));
  }
}

// The lift comes to it by read_reached().
inline void H2ShapeMarking::wait_to_be_read(size_t block) {
  if (set(block, Again)) {
    _queue->add(H2ShapeTable::chunk_index(block));
  }
}

inline void H2ShapeMarking::count_read() {
  if (Atomic::add(&_reads, (size_t)1, memory_order_relaxed) > _most_reads) {
    _reads_far = false;
  }
}

// True if the caller is to push the block, as it waits. It may just have been visited: then it is once more.
inline bool H2ShapeMarking::queue(size_t block) {
  return is_shaped(block) && has(block, Waits) && set(block, Queued);
}

template <typename Worker>
inline void H2ShapeMarking::push(oop obj, Worker* worker) {
  const size_t block = H2Shapes::block(cast_from_oop<HeapWord*>(obj));
  if (is_shaped(block)) {
    wait(block);
  } else if (_reads_far && state(block) != nullptr && !is_resident(block)) {
    wait_to_be_read(block);
  } else {
    worker->push(obj);
  }
}

#endif // SHARE_GC_H2_H2SHAPEMARKING_INLINE_HPP
