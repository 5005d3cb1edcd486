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

#include "classfile/classLoaderDataGraph.hpp"
#include "gc/h2/h2Fields.inline.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Held.inline.hpp"
#include "gc/h2/h2Labels.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"

H2ObjectBits H2Held::_bits;
H2ObjectBits H2Held::_constants;
H2ObjectBits H2Held::_met;
bool         H2Held::_initialized = false;

void H2Held::prepare() {
  if (!_initialized) {
    const MemRegion h1 = H2Heap::h1();
    _initialized = _bits.initialize(h1) && _constants.initialize(h1) && _met.initialize(h1);
  }
}

void H2Held::clear() {
  if (_initialized) {
    _bits.clear_all();
    _constants.clear_all();
    _met.clear_all();
  }
}

void H2Held::renew_dependencies() {
  H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->limit(); i++) {
    H2Region* const region = regions->at(i);
    if (!region->is_in_use() || region->label() != H2OwnLabels::Constants) {
      continue;
    }
    region->forget_dependencies();
    H2Shapes::settle(region);
    for (HeapWord* p = region->bottom(); p < region->top(); p += cast_to_oop(p)->size()) {
      h2_iterate_strong_fields(cast_to_oop(p), [&](void*, oop target) {
        if (H2Heap::contains(target)) {
          region->refer_to(regions->head_index(target));
        }
      });
    }
  }
}
