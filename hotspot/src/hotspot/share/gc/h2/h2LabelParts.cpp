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

#include "gc/h2/h2LabelParts.hpp"

void H2LabelParts::begin(HeapWord* p, jlong label) {
  _parts.append(Part{p, label, 0});
  _sorted = false;
}

void H2LabelParts::sort() {
  if (!_sorted) {
    _parts.sort([](Part* a, Part* b) { return a->_start < b->_start ? -1 : 1; });
    _sorted = true;
  }
}

HeapWord* H2LabelParts::end(int i, HeapWord* top) const {
  return i + 1 < _parts.length() ? _parts.at(i + 1)._start : top;
}

int H2LabelParts::index(const void* p) const {
  assert(_sorted, "asked too early");
  assert(_parts.is_nonempty() && _parts.at(0)._start <= p, "before the first part");
  int from = 0;
  int to = _parts.length();
  while (to - from > 1) {
    const int middle = from + (to - from) / 2;
    if (_parts.at(middle)._start <= p) {
      from = middle;
    } else {
      to = middle;
    }
  }
  return from;
}

void H2LabelParts::begin_look(HeapWord* top) {
  for (int i = 0; i < _parts.length(); i++) {
    _parts.adr_at(i)->_dead_bytes = bytes(i, top);
  }
}

void H2LabelParts::cut(HeapWord* old_top, HeapWord* top) {
  int last = _parts.length() - 1;
  while (last > 0 && _parts.at(last)._start >= top) {
    old_top = _parts.at(last)._start;
    last--;
  }
  _parts.trunc_to(last + 1);
  const size_t lost = pointer_delta(old_top, top, 1);
  _parts.adr_at(last)->_dead_bytes -= MIN2(lost, _parts.at(last)._dead_bytes);
}
