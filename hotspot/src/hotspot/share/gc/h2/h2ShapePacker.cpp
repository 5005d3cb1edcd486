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
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2ShapeBatch.hpp"
#include "gc/h2/h2ShapePacker.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/shared/workerThread.hpp"
#include "runtime/atomic.hpp"

// Fewer bytes are not worth the head of a batch.
static const size_t LeastBytes = 512;

bool H2ShapePacker::has_room(size_t block, size_t length) const {
  return _count == 0 || (H2ShapeTable::chunk_index(_entries[0]._block) == H2ShapeTable::chunk_index(block) &&
                         _bytes.length() + sizeof(H2ShapeLength) + length <= H2ShapeBatch::MostBytes);
}

// False if there is no memory.
bool H2ShapePacker::append(size_t block, const uint8_t* bytes, size_t length, uint8_t flags) {
  const H2ShapeLength prefix = checked_cast<H2ShapeLength>(length);
  uint8_t* const to = _bytes.try_room(sizeof(prefix) + length);
  if (to == nullptr) {
    return false;
  }
  _entries[_count++] = Entry{block, _bytes.length(), flags};
  memcpy(to, &prefix, sizeof(prefix));
  memcpy(to + sizeof(prefix), bytes, length);
  _bytes.set_end(to + sizeof(prefix) + length);
  return true;
}

void H2ShapePacker::clear() {
  _count = 0;
  _bytes.clear();
}

void H2ShapePacker::add(size_t block, uint8_t* bytes, size_t length, uint8_t flags) {
  if (!has_room(block, length)) {
    flush();
  }
  if (!append(block, bytes, length, flags)) {
    H2Shapes::set_missing(block);
    H2Shapes::settle(block, bytes, length);
  }
}

bool H2ShapePacker::install_packed() {
  const size_t length = _bytes.length();
  if (length < LeastBytes || length > H2ShapeBatch::MostBytes) {
    return false;
  }
  // A batch that saves less is not worth its unpacking.
  const size_t most = length - length / 8;
  _packed.clear();
  uint8_t* const room = _packed.try_room(most);
  const size_t packed = room == nullptr ? 0 : H2Heap::backend()->pack(_bytes.data(), length, room, most);
  if (packed == 0 || !H2Shapes::may_take(H2ShapeBatch::bytes_for(packed)) || H2ShapeTable::make_chunk(_entries[0]._block) == nullptr) {
    return false;
  }
  uint32_t blocks = 0;
  for (uint i = 0; i < _count; i++) {
    blocks |= 1u << H2ShapeTable::index(_entries[i]._block);
  }
  H2ShapeBatch* const batch = H2ShapeBatch::make(blocks, length, _packed.data(), packed);
  if (batch == nullptr) {
    return false;
  }
  for (uint i = 0; i < _count; i++) {
    H2Shapes::install(_entries[i]._block, batch, _entries[i]._flags);
  }
  H2Shapes::added(batch);
  return true;
}

void H2ShapePacker::install_plain(const Entry& entry) {
  uint8_t* const shape = _bytes.data() + entry._offset;
  if (!H2Shapes::install(entry._block, shape, entry._flags)) {
    H2Shapes::settle(entry._block, shape + sizeof(H2ShapeLength), H2Shapes::length(shape));
  }
}

void H2ShapePacker::flush() {
  if (_count > 0 && !install_packed()) {
    for (uint i = 0; i < _count; i++) {
      install_plain(_entries[i]);
    }
  }
  clear();
}

// Looks at the chunk that begins with a block.
bool H2ShapePacker::is_worth_a_repack(size_t first) {
  static const uint MostBatches = 2;    // more bytes than are compressed at once
  static const uint MostOdd = H2ShapeChunk::Blocks / 4;

  uint odd = 0;       // blocks that are not packed, or have left their batch
  uint batches = 0;
  const H2ShapeBatch* last = nullptr;
  for (size_t block = first; block < first + H2ShapeChunk::Blocks; block++) {
    const H2ShapeBatch* const batch = H2Shapes::batch(block);
    if (batch == nullptr) {
      odd += H2Shapes::has_shape(block) ? 1 : 0;
    } else if (batch != last) {
      odd += batch->left();
      batches++;
      last = batch;
    }
  }
  return odd > MostOdd || batches > MostBatches;
}

// Shapes stay as they are where that gains nothing, or where there is no memory. Where few are by themselves, they make a batch of
// their own, and those in batches stay there.
void H2ShapePacker::repack(size_t first) {
  const bool is_for_all = is_worth_a_repack(first);
  for (size_t block = first; block < first + H2ShapeChunk::Blocks; block++) {
    if (H2Shapes::has_shape(block) && (is_for_all || H2Shapes::batch(block) == nullptr)) {
      const uint8_t* const shape = H2Shapes::shape(block);
      const size_t length = H2Shapes::length(shape);
      if (!has_room(block, length)) {
        install_packed();
        clear();
      }
      append(block, shape + sizeof(H2ShapeLength), length, H2Shapes::flags(block));
    }
  }
  if (_count > 0) {
    install_packed();
    clear();
  }
}

class H2RepackTask : public WorkerTask {
  const size_t    _chunks;
  volatile size_t _next;

 public:
  explicit H2RepackTask(size_t chunks) : WorkerTask("H2 pack shapes"), _chunks(chunks), _next(0) {}

  void work(uint worker_id) override {
    H2ShapePacker packer;
    size_t chunk;
    while ((chunk = Atomic::fetch_then_add(&_next, (size_t)1)) < _chunks) {
      if (H2ShapeTable::chunk(chunk * H2ShapeChunk::Blocks) != nullptr) {
        packer.repack(chunk * H2ShapeChunk::Blocks);
      }
    }
  }
};

void H2ShapePacker::repack_all() {
  H2RepackTask task(H2Shapes::used_chunks());
  H2Heap::collector()->workers()->run_task(&task);
}
