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

#ifndef SHARE_GC_H2_H2TAGGROUPS_HPP
#define SHARE_GC_H2_H2TAGGROUPS_HPP

#include "gc/h2/h2Labels.hpp"
#include "gc/h2/h2WeakRoots.hpp"
#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

// Tags by label; the label that was given first comes first. Made by one pass over the
// tags, which must not change meanwhile.
class H2TagGroups : public StackObj {
  static const int None = -1;

  struct Group {
    jlong _label;
    int   _first;  // tag
    int   _last;
  };

  const GrowableArrayCHeap<H2WeakRoot, mtGC>& _tags;
  GrowableArrayCHeap<int, mtGC>               _next;    // of the same label, by tag
  GrowableArrayCHeap<Group, mtGC>             _groups;

  void add(int tag, H2LabelMap<int>* places) {
    const jlong label = _tags.at(tag)._label;
    bool is_new;
    const int place = *places->get_or_add(label, _groups.length(), &is_new);
    if (is_new) {
      _groups.append(Group{label, tag, tag});
    } else {
      Group* const group = _groups.adr_at(place);
      _next.at_put(group->_last, tag);
      group->_last = tag;
    }
  }

 public:
  explicit H2TagGroups(const GrowableArrayCHeap<H2WeakRoot, mtGC>& tags) :
    _tags(tags), _next(tags.length(), tags.length(), None), _groups() {
    H2LabelMap<int> places;
    for (int tag = 0; tag < tags.length(); tag++) {
      add(tag, &places);
    }
  }

  int length() const         { return _groups.length(); }
  jlong label(int i) const   { return _groups.at(i)._label; }

  // Calls f with each tag of the group, oldest first.
  template <typename Function>
  void each_tag(int i, Function f) const {
    for (int tag = _groups.at(i)._first; tag != None; tag = _next.at(tag)) {
      f(_tags.at(tag));
    }
  }
};

#endif // SHARE_GC_H2_H2TAGGROUPS_HPP
