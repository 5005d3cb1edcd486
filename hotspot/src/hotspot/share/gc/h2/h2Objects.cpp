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

#include "classfile/vmClasses.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Objects.hpp"
#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "memory/iterator.hpp"
#include "memory/universe.hpp"
#include "oops/oop.inline.hpp"

HeapWord* H2Objects::block_start(const void* p) {
  if (!H2Heap::is_in(p)) {
    return nullptr;
  }
  // Dead objects in a gap say nothing.
  HeapWord* const start = H2Heap::starts()->block_start_reaching_into_card((HeapWord*)p);
  const bool has_gaps = H2Shapes::has_gaps(H2Shapes::block(start)) || H2Shapes::has_gaps(H2Shapes::block(p));
  return has_gaps ? nullptr : H2Heap::starts()->object_start((HeapWord*)p);
}

// A block is a region.
size_t H2Objects::num_blocks() {
  return H2Heap::is_enabled() ? H2Heap::regions()->limit() : 0;
}

static bool is_filler(oop obj) {
  Klass* const klass = obj->klass();
  return klass == Universe::fillerArrayKlass() || klass == vmClasses::FillerObject_klass();
}

void H2Objects::iterate_block(size_t block, ObjectClosure* cl) {
  H2Region* const region = H2Heap::regions()->at(checked_cast<uint>(block));
  // A region that returns is iterated where it was copied to.
  if (!region->is_in_use() || region->is_returning()) {
    return;
  }
  H2Shapes::settle(region);
  for (HeapWord* p = region->bottom(); p < region->top(); ) {
    oop obj = cast_to_oop(p);
    p += obj->size();
    if (!is_filler(obj)) {
      cl->do_object(obj);
    }
  }
}

void H2Objects::iterate(ObjectClosure* cl) {
  for (size_t i = 0; i < num_blocks(); i++) {
    iterate_block(i, cl);
  }
}
