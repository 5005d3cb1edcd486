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
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2RegionFreer.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "memory/memRegion.hpp"

void H2RegionFreer::give_back(uint first, uint end) {
  const MemRegion memory(_regions->address(first), _regions->address(end));
  H2Heap::backend()->discard(pointer_delta(memory.start(), H2Heap::start(), 1), memory.byte_size());
  H2Shapes::drop(memory);
  _regions->disclaim_tables(first, end);
}

void H2RegionFreer::free(H2Region* head) {
  const uint first = head->head();
  const uint end = first + head->run();
  if (first != _end) {
    finish();
    _first = first;
  }
  _end = end;
  _regions->set_free(head);
}

void H2RegionFreer::finish() {
  if (_first < _end) {
    give_back(_first, _end);
  }
  _first = _end;
}

void H2RegionFreer::free_part(uint first, uint end) {
  _regions->set_part_free(first, end);
  give_back(first, end);
}
