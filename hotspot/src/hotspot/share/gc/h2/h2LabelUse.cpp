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

#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2LabelUse.hpp"
#include "gc/h2/h2Labels.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "utilities/align.hpp"

static int compare(H2LabelUse* a, H2LabelUse* b) {
  return a->_label < b->_label ? -1 : a->_label > b->_label ? 1 : 0;
}

void H2LabelUse::add(const H2Region* region) {
  _regions += region->run();
  _bytes += region->used_bytes();
  _dead += region->dead_bytes();
  const size_t offset = pointer_delta(region->bottom(), H2Heap::start(), 1);
  H2Heap::backend()->census(offset, align_up(region->used_bytes(), H2Heap::backend()->unit_bytes()), &_census);
}

// A unit counts for the last part that begins in or before it and reaches its end.
void H2LabelUse::add_part(const H2Region* region, HeapWord* start, HeapWord* end, size_t dead) {
  const size_t unit = H2Heap::backend()->unit_bytes();
  _bytes += pointer_delta(end, start, 1);
  _dead += dead;
  HeapWord* const from = align_down(start, unit);
  HeapWord* const to = end == region->top() ? align_up(end, unit) : align_down(end, unit);
  if (from < to) {
    H2Heap::backend()->census(pointer_delta(from, H2Heap::start(), 1), pointer_delta(to, from, 1), &_census);
  }
}

void H2LabelUse::collect(GrowableArray<H2LabelUse>* uses) {
  const H2RegionTable* const regions = H2Heap::regions();
  H2LabelMap<int> places;
  const auto use_of = [&](jlong label) {
    bool is_new;
    const int at = *places.get_or_add(label, uses->length(), &is_new);
    if (is_new) {
      uses->append(H2LabelUse{label, 0, 0, 0, {}});
    }
    return uses->adr_at(at);
  };
  for (uint i = 0; i < regions->limit(); i++) {
    const H2Region* const region = regions->at(i);
    if (!region->is_in_use()) {
      continue;
    }
    if (!region->is_shared()) {
      use_of(region->label())->add(region);
      continue;
    }
    use_of(region->label())->_regions += region->run();
    region->each_label([&](jlong label, HeapWord* start, HeapWord* end, size_t dead) {
      use_of(label)->add_part(region, start, end, dead);
    });
  }
  uses->sort(compare);
}
