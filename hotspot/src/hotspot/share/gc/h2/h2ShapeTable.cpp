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

#include "gc/h2/h2ShapeTable.hpp"
#include "memory/memoryReserver.hpp"
#include "memory/reservedSpace.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"

H2ShapeChunk* volatile* H2ShapeTable::_chunks = nullptr;

// Zeros, of which only pages that are used take memory.
void H2ShapeTable::initialize(size_t num_blocks) {
  const size_t chunks = align_up(num_blocks, H2ShapeChunk::Blocks) / H2ShapeChunk::Blocks;
  const size_t bytes = align_up(chunks * sizeof(H2ShapeChunk*), os::vm_page_size());
  const ReservedSpace space = MemoryReserver::reserve(bytes, mtH2Tables);
  if (!space.is_reserved()) {
    vm_exit_out_of_memory(bytes, OOM_MMAP_ERROR, "H2 shape table");
  }
  os::commit_memory_or_exit(space.base(), bytes, !ExecMem, "H2 shape table");
  _chunks = (H2ShapeChunk* volatile*)space.base();
}

H2ShapeChunk* H2ShapeTable::make_chunk(size_t block) {
  H2ShapeChunk* const known = chunk(block);
  if (known != nullptr) {
    return known;
  }
  H2ShapeChunk* const made = (H2ShapeChunk*)os::malloc(sizeof(H2ShapeChunk), mtH2Tables);
  if (made == nullptr) {
    return nullptr;
  }
  memset((void*)made, 0, sizeof(H2ShapeChunk));
  H2ShapeChunk* const other = Atomic::cmpxchg(&_chunks[chunk_index(block)], (H2ShapeChunk*)nullptr, made);
  if (other != nullptr) {
    os::free(made);
    return other;
  }
  return made;
}
