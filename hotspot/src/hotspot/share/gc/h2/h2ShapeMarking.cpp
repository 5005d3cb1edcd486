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

#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Cards.hpp"
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2ConcurrentMark.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Labels.hpp"
#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/h2/h2Reached.inline.hpp"
#include "gc/h2/h2RegionClaimer.inline.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2ShapeMarking.inline.hpp"
#include "gc/h2/h2Targets.hpp"
#include "gc/shared/workerThread.hpp"
#include "logging/log.hpp"
#include "utilities/align.hpp"

volatile size_t H2ShapeMarking::_visits = 0;
volatile size_t H2ShapeMarking::_far = 0;
volatile size_t H2ShapeMarking::_reads = 0;
H2ShapeQueue*   H2ShapeMarking::_queue = nullptr;
volatile bool   H2ShapeMarking::_is_lost = false;
bool            H2ShapeMarking::_is_exact = true;
volatile bool   H2ShapeMarking::_reads_far = false;
size_t          H2ShapeMarking::_most_reads = 0;

template <typename Function>
void H2ShapeMarking::each_block(const H2Region* region, Function f) {
  const size_t end = H2Shapes::block(region->top());
  for (size_t block = H2Shapes::block(region->bottom()); block < end; block++) {
    f(block);
  }
}

struct H2CardsFound {
  bool _clean;
  bool _dirty;
};

static H2CardsFound look_at_cards(HeapWord* from, HeapWord* to) {
  H2CardsFound found = { true, false };
  const CardTable::CardValue* const last = H2Heap::cards()->byte_for(to - 1);
  for (const CardTable::CardValue* c = H2Heap::cards()->byte_for(from); c <= last; c++) {
    if (is_aligned(c, sizeof(intptr_t)) && c + sizeof(intptr_t) <= last && *(intptr_t*)c == CardTable::clean_card_row_val()) {
      c += sizeof(intptr_t) - 1;
      continue;
    }
    found._clean = found._clean && *c == CardTable::clean_card_val();
    found._dirty = found._dirty || *c == CardTable::dirty_card_val();
  }
  return found;
}

// The units of the engine that hold the block, as offsets in H2.
struct H2BlockUnits {
  size_t _from;
  size_t _to;

  explicit H2BlockUnits(size_t block) {
    const size_t unit = H2Heap::backend()->unit_bytes();
    const size_t offset = pointer_delta(H2Shapes::address(block), H2Heap::start(), 1);
    _from = align_down(offset, unit);
    _to = align_up(offset + H2ShapeBlockBytes, unit);
  }
};

bool H2ShapeMarking::is_resident(size_t block) {
  const H2BlockUnits units(block);
  H2Census census = {};
  return H2Heap::backend()->census(units._from, units._to - units._from, &census) && census._compressed + census._ssd == 0;
}

// Counts bytes that a look brings back by reading blocks, of which it tells in order. Units of the engine come back whole,
// so one that is larger than a block counts once.
class H2FarBytes : public StackObj {
  size_t _bytes;
  size_t _counted_to;

 public:
  H2FarBytes() : _bytes(0), _counted_to(0) {}

  void add(size_t block) {
    const H2BlockUnits units(block);
    const size_t from = MAX2(units._from, _counted_to);
    const size_t to = units._to;
    H2Census census = {};
    if (from < to) {
      const bool is_known = H2Heap::backend()->census(from, to - from, &census);
      _bytes += is_known ? census._compressed + census._ssd : to - from;
      _counted_to = to;
    }
  }
  size_t bytes() const { return _bytes; }
};

// The cards that say whether something in the block refers to H1, or was written to.
static H2CardsFound look_at_cards(const H2Region* region, size_t block) {
  HeapWord* to = H2Shapes::address(block + 1);
  // Most reach into one card more, and need not be unpacked for that.
  if (H2Shapes::reaches_far(block)) {
    to = MIN2(to + H2Shapes::reader(block).reach(), region->top());
  } else if (H2Shapes::reaches(block)) {
    to += CardTable::card_size_in_words();
  }
  return look_at_cards(H2Shapes::address(block), to);
}

static bool has_fresh_shape(const H2Region* region, size_t block) {
  // Each GC finds out anew which objects constants refer to, and these may be gone (see H2Held::renew_dependencies). A block has
  // no shape either if no object begins in it, as within a large array.
  return H2Shapes::has_shape(block) && !H2Shapes::is_stale(block) && region->label() != H2OwnLabels::Constants;
}

// Cards that were read since they were dirty remember what begins on them, and elements of arrays. So those behind the block say
// nothing of it.
static bool is_clean(size_t block) {
  return look_at_cards(H2Shapes::address(block), H2Shapes::address(block + 1))._clean;
}

uint8_t H2ShapeMarking::mode(const H2Region* region, size_t block, H2FarBytes* far) {
  const H2CardsFound cards = look_at_cards(region, block);
  if (cards._dirty) {
    H2Shapes::note_stale(H2Shapes::address(block));
  }
  if (cards._clean && (H2Shapes::is_stale(block) || H2Shapes::is_missing(block))) {
    far->add(block);
  }
  if (!has_fresh_shape(region, block)) {
    return 0;
  }
  if (cards._clean) {
    return Shaped;
  }
  if (_is_exact || cards._dirty) {
    return 0;
  }
  return is_clean(block) ? Shaped : H2Targets::are_known(block) ? Shaped | Targets : 0;
}

bool H2ShapeMarking::has_reached(size_t block) {
  return H2Reached::any(MemRegion(H2Shapes::address(block), H2Shapes::block_words()));
}

// Whether an array that was followed ahead goes on in the block. If its own block waits, it is followed once more anyway.
bool H2ShapeMarking::is_reached_into(size_t block) {
  HeapWord* const from = H2Shapes::address(block);
  HeapWord* const array = H2Heap::starts()->block_start_reaching_into_card(from);
  return array < from && has(H2Shapes::block(array), GoesOn) && H2Reached::contains(cast_to_oop(array));
}

// If the block's shape is the same, and the block does not wait, marking need not follow its objects once more.
uint8_t H2ShapeMarking::after_marking_ahead(size_t block, uint8_t ahead, uint8_t mode) {
  if ((ahead & (Shaped | Waits)) == Shaped && mode == Shaped) {
    return mode | (ahead & GoesOn);
  }
  if (!has_reached(block) && !is_reached_into(block)) {
    return mode;
  }
  _queue->add(H2ShapeTable::chunk_index(block));
  return (mode & Shaped) != 0 ? mode | Waits : Again;
}

void H2ShapeMarking::choose_modes(H2Region* region) {
  H2FarBytes far;
  const bool has_marks = H2ConcurrentMark::has_marks();
  each_block(region, [&](size_t block) {
    H2ShapeChunk* const chunk = H2ShapeTable::make_chunk(block);
    const uint8_t chosen = mode(region, block, &far);
    if (chunk != nullptr) {
      volatile uint8_t* const state = &chunk->_states[H2ShapeTable::index(block)];
      *state = has_marks ? after_marking_ahead(block, *state, chosen) : chosen;
    } else {
      _is_lost = true;
    }
  });
  Atomic::add(&_far, far.bytes(), memory_order_relaxed);
}

// Nothing may have come to an end the last time.
void H2ShapeMarking::begin_queue() {
  delete _queue;
  _queue = new H2ShapeQueue(H2Shapes::used_chunks());
  // The thread that marks beside the program leaves such pages to the look.
  _reads_far = false;
}

void H2ShapeMarking::forget(size_t from_chunk, size_t to_chunk) {
  for (size_t chunk = from_chunk; chunk < to_chunk; chunk++) {
    H2ShapeChunk* const known = H2ShapeTable::chunk(chunk * H2ShapeChunk::Blocks);
    if (known != nullptr) {
      memset((void*)known->_states, 0, sizeof(known->_states));
    }
  }
}

// Blocks of others in the same chunk may wait.
void H2ShapeMarking::forget(const H2Region* region) {
  each_block(region, [](size_t block) {
    volatile uint8_t* const known = state(block);
    if (known != nullptr) {
      *known = 0;
    }
  });
}

void H2ShapeMarking::begin_block(const H2Region* region, size_t block) {
  H2ShapeChunk* const chunk = H2ShapeTable::make_chunk(block);
  if (chunk == nullptr) {
    return;
  }
  const bool is_fresh = look_at_cards(region, block)._clean && has_fresh_shape(region, block);
  const bool waits = has_reached(block);
  chunk->_states[H2ShapeTable::index(block)] = is_fresh ? (waits ? Shaped | Waits : Shaped) : (waits ? Again : 0);
  if (waits) {
    _queue->add(H2ShapeTable::chunk_index(block));
  }
}

class H2ShapeModeTask : public WorkerTask {
  H2RegionClaimer _claimer;

 public:
  H2ShapeModeTask() : WorkerTask("H2 shapes"), _claimer() {}

  void work(uint worker_id) override {
    _claimer.each([](H2Region* region) {
      if (region->is_returning()) {
        H2ShapeMarking::forget(region);
      } else {
        H2ShapeMarking::choose_modes(region);
      }
    });
  }
};

void H2ShapeMarking::begin_reads() {
  const size_t bytes = H2Heap::regions()->limit() * H2RegionSize;
  H2Census census = {};
  _reads = 0;
  _most_reads = MostReads * (bytes / H2ShapeBlockBytes);
  _reads_far = H2Heap::backend()->census(0, bytes, &census) && census._compressed + census._ssd > 0;
}

size_t H2ShapeMarking::prepare(bool is_exact) {
  _is_exact = is_exact;
  _visits = 0;
  _far = 0;
  _is_lost = false;
  begin_queue();
  if (!H2ConcurrentMark::has_marks()) {
    forget(0, H2Shapes::used_chunks());
  }
  H2ShapeModeTask task;
  H2Heap::collector()->workers()->run_task(&task);
  begin_reads();
  return _far;
}

void H2ShapeMarking::end() {
  delete _queue;
  _queue = nullptr;
}

void H2ShapeMarking::finish() {
  assert(_queue->is_empty(), "blocks still wait");
  end();
  size_t blocks = 0;
  size_t read = 0;
  size_t unshaped = 0;
  const H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->limit(); i++) {
    if (regions->at(i)->is_in_use() && !regions->at(i)->is_returning()) {
      each_block(regions->at(i), [&](size_t block) {
        blocks++;
        if (has(block, WasRead)) {
          read++;
          unshaped += H2Shapes::has_shape(block) && !H2Shapes::is_stale(block) ? 0 : 1;
        }
      });
    }
  }
  log_info(gc, h2)("Marked H2 from shapes of %zuK (%zuK plain): %zu visits; %zu of %zu blocks were read, %zu as they had no shape",
                   H2Shapes::bytes() / K, H2Shapes::plain_bytes() / K, _visits, read, blocks, unshaped);
  log_debug(gc, h2)("Blocks were read %zu times in the order of addresses", _reads);
}
