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

#ifndef SHARE_GC_H2_H2LABELS_HPP
#define SHARE_GC_H2_H2LABELS_HPP

#include "memory/allocation.hpp"
#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/resizeableResourceHash.hpp"

// The labels that the VM gives by itself. They are negative, which no program's are.
class H2OwnLabels : AllStatic {
 public:
  static const jlong Constants = -1;     // see H2Held
  static const jlong Arrays    = -2;     // see H2AutoArrays
  static const jlong Shared    = -3;     // of regions that small labels share, see H2LabelParts
  static const jlong FirstRow  = -1000;  // and down from there, see H2Walk
};

// A value for each of any number of labels. One thread at a time.
template <typename V>
class H2LabelMap : public CHeapObj<mtGC> {
  // Labels may be numbers in a row as well as hash codes, or differ in their high half only.
  static unsigned hash(const jlong& label) {
    const uint64_t mixed = (uint64_t)label * UINT64_C(0x9e3779b97f4a7c15);
    return (unsigned)(mixed >> 32);
  }

  typedef ResizeableResourceHashtable<jlong, V, AnyObj::C_HEAP, mtGC, hash> Table;

  static const unsigned FirstSize = 107;
  static const unsigned MaxSize = 0x3fffffff;

  Table _table;

 public:
  H2LabelMap() : _table(FirstSize, MaxSize) {}

  int length() const        { return _table.number_of_entries(); }
  // Null if there is none.
  V* get(jlong label) const { return _table.get(label); }

  // The label's value, which becomes `value` if there is none yet; *is_new tells.
  V* get_or_add(jlong label, V value, bool* is_new) {
    V* const result = _table.put_if_absent(label, value, is_new);
    if (*is_new) {
      _table.maybe_grow(1 /* load factor */);
    }
    return result;
  }

  void remove(jlong label) { _table.remove(label); }

  // Calls f(label, value).
  template <typename Function>
  void each(Function f) const { _table.iterate_all(f); }

  // Removes those of which f(label, value) is true.
  template <typename Function>
  void remove_if(Function f) {
    struct Remover {
      Function& _f;
      bool do_entry(const jlong& label, const V& value) { return _f(label, value); }
    } remover{f};
    _table.unlink(&remover);
  }
};

class H2LabelSet : public CHeapObj<mtGC> {
  H2LabelMap<bool> _labels;

 public:
  // True if the label was not there.
  bool add(jlong label) {
    bool is_new;
    _labels.get_or_add(label, true, &is_new);
    return is_new;
  }

  bool contains(jlong label) const { return _labels.get(label) != nullptr; }
  bool is_empty() const            { return _labels.length() == 0; }
  void remove(jlong label)         { _labels.remove(label); }
  void clear()                     { _labels.remove_if([](jlong, bool) { return true; }); }

  // Calls f(label).
  template <typename Function>
  void each(Function f) const {
    _labels.each([&](const jlong& label, bool) { f(label); });
  }

  void add_all(const H2LabelSet& others) {
    others.each([this](jlong label) { add(label); });
  }
};

#endif // SHARE_GC_H2_H2LABELS_HPP
