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

#include "gc/h2/h2Allocator.hpp"
#include "gc/h2/h2GroupFinder.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2MovePlaces.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2SharingRule.hpp"

// Words of a label that move, by all workers.
static H2LabelWords words_of(uint label_index, H2GroupFinder* finder, uint num_workers) {
  H2LabelWords sum = { 0, 0 };
  for (uint i = 0; i < num_workers; i++) {
    const H2LabelWords own = finder->worker(i)->words_of(label_index);
    sum._small += own._small;
    sum._large += own._large;
  }
  return sum;
}

H2MovePlaces::H2MovePlaces(H2GroupFinder* finder, uint num_workers) : _labels(finder->labels()), _shares(), _sharing(0) {
  const H2RegionTable* const regions = H2Heap::regions();
  uint taken = regions->in_use();
  for (int i = 0; i < _labels.length(); i++) {
    const H2LabelWords words = words_of((uint)i, finder, num_workers);
    const bool has_region = H2Allocator::has_open_run(_labels.at(i));
    // The labels of the VM's own, which are negative, have regions for a reason.
    const bool shares = _labels.at(i) >= 0 && !has_region && words._large == 0 &&
                        H2SharingRule::shares(words._small, regions->region_words(), taken, regions->length());
    _shares.append(shares);
    if (shares) {
      _sharing++;
    } else if (!has_region) {
      taken += H2Allocator::regions_for(words._small + words._large);
    }
  }
}
