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

#ifndef SHARE_GC_H2_H2LABELORDER_HPP
#define SHARE_GC_H2_H2LABELORDER_HPP

#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

// Numbers 0, 1, 2, ... of objects by their label. A group is walked as a whole, so its
// numbers come in few stretches. One thread at a time.
class H2LabelOrder {
  static const int None = -1;

  struct Stretch {
    size_t _begin;
    size_t _end;
    int    _next;   // of the same label
  };

  struct Ends {
    int _first;
    int _last;
  };

  GrowableArrayCHeap<Stretch, mtGC> _stretches;
  GrowableArrayCHeap<Ends, mtGC>    _labels;  // by label index
  // The last stretch, which changes with each number, and is not among the others yet.
  Stretch _open;
  uint    _label;

  void close() {
    if (_open._begin == _open._end) {
      return;
    }
    const int added = _stretches.append(_open);
    Ends* const ends = _labels.adr_at((int)_label);
    if (ends->_first == None) {
      ends->_first = added;
    } else {
      _stretches.adr_at(ends->_last)->_next = added;
    }
    ends->_last = added;
  }

 public:
  explicit H2LabelOrder(uint num_labels) :
    _stretches(), _labels((int)num_labels, (int)num_labels, Ends{None, None}), _open{0, 0, None}, _label(0) {}

  // In ascending order of i.
  void add(uint label_index, size_t i) {
    if (label_index != _label || i != _open._end) {
      close();
      _open = Stretch{i, i, None};
      _label = label_index;
    }
    _open._end++;
  }

  // After the last one.
  void finish() {
    close();
    _open._end = _open._begin;
  }

  // Calls f with each number of the label, in ascending order.
  template <typename Function>
  void each(uint label_index, Function f) const {
    for (int at = _labels.at((int)label_index)._first; at != None; at = _stretches.at(at)._next) {
      const Stretch& stretch = _stretches.at(at);
      for (size_t i = stretch._begin; i < stretch._end; i++) {
        f(i);
      }
    }
  }

  int stretches() const { return _stretches.length(); }
};

#endif // SHARE_GC_H2_H2LABELORDER_HPP
