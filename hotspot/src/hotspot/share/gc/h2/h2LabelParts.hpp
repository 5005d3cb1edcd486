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

#ifndef SHARE_GC_H2_H2LABELPARTS_HPP
#define SHARE_GC_H2_H2LABELPARTS_HPP

#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

// The label of each part of a region that small labels share (see H2SharingRule). A part ends
// where the next one begins, or where the region's objects end. It belongs to one label, and a
// label may have several.
class H2LabelParts : public CHeapObj<mtGC> {
  struct Part {
    HeapWord* _start;
    jlong     _label;
    size_t    _dead_bytes;  // as of the last look; 0 before
  };

  GrowableArrayCHeap<Part, mtGC> _parts;
  bool                           _sorted;

  // The last part that begins at or before p.
  int index(const void* p) const;
  HeapWord* end(int i, HeapWord* top) const;
  size_t bytes(int i, HeapWord* top) const { return pointer_delta(end(i, top), _parts.at(i)._start, 1); }

 public:
  H2LabelParts() : _parts(), _sorted(true) {}

  // Objects of the label follow from p on. One thread at a time.
  void begin(HeapWord* p, jlong label);
  // After the last part of a move has begun, and before anything else.
  void sort();

  jlong label_at(const void* p) const { return _parts.at(index(p))._label; }

  // Calls f(label, start, end, dead bytes) with each part of a region that ends at top.
  template <typename Function>
  void each(HeapWord* top, Function f) const {
    assert(_sorted, "asked too early");
    for (int i = 0; i < _parts.length(); i++) {
      f(_parts.at(i)._label, _parts.at(i)._start, end(i, top), _parts.at(i)._dead_bytes);
    }
  }

  // A look counts what lives. One thread at a time.
  void begin_look(HeapWord* top);
  void add_live(const void* p, size_t words) { _parts.adr_at(index(p))->_dead_bytes -= words << LogHeapWordSize; }
  // The region ends at top now.
  void cut(HeapWord* old_top, HeapWord* top);
};

#endif // SHARE_GC_H2_H2LABELPARTS_HPP
