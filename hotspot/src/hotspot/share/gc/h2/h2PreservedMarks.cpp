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

#include "gc/h2/h2PreservedMarks.hpp"
#include "oops/oop.inline.hpp"

static int compare_objects(H2PreservedMark* a, H2PreservedMark* b) {
  return a->_object < b->_object ? -1 : a->_object > b->_object ? 1 : 0;
}

static int compare_to(HeapWord* const& key, const H2PreservedMark& mark) {
  return key < mark._object ? -1 : key > mark._object ? 1 : 0;
}

void H2PreservedMarks::sort() {
  _marks.sort(compare_objects);
}

void H2PreservedMarks::restore(oop original, oop copy) const {
  if (_marks.is_nonempty()) {
    bool found = false;
    HeapWord* const key = cast_from_oop<HeapWord*>(original);
    const int index = _marks.find_sorted<HeapWord*, compare_to>(key, found);
    if (found) {
      copy->set_mark(_marks.at(index)._mark);
      return;
    }
  }
  copy->init_mark();
}
