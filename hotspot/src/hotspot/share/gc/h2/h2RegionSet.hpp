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

#ifndef SHARE_GC_H2_H2REGIONSET_HPP
#define SHARE_GC_H2_H2REGIONSET_HPP

#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/resizeableResourceHash.hpp"

// Indices of regions. Most sets have a few, which are searched one by one; the region of
// an index of thousands of groups refers to thousands of regions. One thread at a time.
class H2RegionSet {
  typedef ResizeableResourceHashtable<uint, bool, AnyObj::C_HEAP, mtGC> Table;

  static const int Few = 32;

  GrowableArrayCHeap<uint, mtGC> _list;
  Table*                         _table;  // of the list; null while that is short

  NONCOPYABLE(H2RegionSet);

  void make_table() {
    _table = new (mtGC) Table(1009, 0x3fffffff);
    for (uint region : _list) {
      _table->put(region, true);
    }
  }

 public:
  H2RegionSet() : _list(), _table(nullptr) {}
  ~H2RegionSet() { delete _table; }

  bool contains(uint region) const {
    return _table == nullptr ? _list.contains(region) : _table->contains(region);
  }

  void add(uint region) {
    if (contains(region)) {
      return;
    }
    _list.append(region);
    if (_table != nullptr) {
      _table->put(region, true);
      _table->maybe_grow(1 /* load factor */);
    } else if (_list.length() > Few) {
      make_table();
    }
  }

  // Gives its memory back, too.
  void clear() {
    _list.clear_and_deallocate();
    delete _table;
    _table = nullptr;
  }

  const GrowableArrayCHeap<uint, mtGC>* list() const { return &_list; }
};

#endif // SHARE_GC_H2_H2REGIONSET_HPP
