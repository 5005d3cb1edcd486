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

#include "gc/h2/h2Collectors.inline.hpp"
#include "gc/h2/h2Marking.inline.hpp"
#include "gc/h2/h2References.hpp"
#include "gc/h2/h2RegionFreer.hpp"
#include "gc/h2/h2RegionQueue.hpp"
#include "logging/log.hpp"

H2RegionQueue* H2Marking::_pending = nullptr;

void H2Marking::prepare() {
  H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->limit(); i++) {
    regions->at(i)->clear_live();
  }
  _pending = new H2RegionQueue(regions->limit());
  if (H2Liveness::is_looking() && H2ConcurrentMark::has_marks()) {
    mark_reached_regions();
  }
}

// Nobody comes by what was reached ahead again.
void H2Marking::mark_reached_regions() {
  H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->limit(); i++) {
    const H2Region* const region = regions->at(i);
    if (region->is_in_use() && !region->is_returning() && H2Reached::any(MemRegion(region->bottom(), region->top()))) {
      mark_region(i);
    }
  }
}

void H2Marking::mark_region(uint head_index) {
  if (H2Heap::regions()->at(head_index)->make_live()) {
    _pending->push(head_index);
  }
}

bool H2Marking::is_live(oop obj) {
  const oop copy = H2Returner::copy_of(obj);
  if (copy != nullptr) {
    return H2Collectors::is_marked(copy);
  }
  if (H2Liveness::is_looking()) {
    const bool is_reached = H2Reached::contains(obj);
    if (!is_reached && !H2Collectors::is_discovering()) {
      H2References::note_cleared();
    }
    return is_reached;
  }
  return H2Heap::regions()->head(cast_from_oop<HeapWord*>(obj))->is_live();
}

void H2Marking::free_dead_regions() {
  delete _pending;
  _pending = nullptr;
  H2RegionTable* const regions = H2Heap::regions();
  const size_t before = regions->freed();
  H2RegionFreer freer(regions);
  for (uint i = 0; i < regions->limit(); i++) {
    H2Region* const region = regions->at(i);
    if (region->is_in_use() && !region->is_live() && !region->is_returning()) {
      log_debug(gc, h2)("Free region %u, label " JLONG_FORMAT ", %zuK", i, region->label(), region->used_bytes() / K);
      freer.free(region);
    }
  }
  log_info(gc, h2)("Freed %zu regions, %u of %u in use", regions->freed() - before, regions->in_use(), regions->length());
}
