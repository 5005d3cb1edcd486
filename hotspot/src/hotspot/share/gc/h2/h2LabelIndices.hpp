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

#ifndef SHARE_GC_H2_H2LABELINDICES_HPP
#define SHARE_GC_H2_H2LABELINDICES_HPP

#include "gc/h2/h2Labels.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

// The numbers 0, 1, 2, ... that stand for labels in headers of candidates. One thread at a time.
class H2LabelIndices {
  GrowableArrayCHeap<jlong, mtGC> _labels;   // by index
  H2LabelMap<uint>                _indices;

 public:
  H2LabelIndices() : _labels(), _indices() {}

  // The label has one from now on.
  uint index_of(jlong label) {
    bool is_new;
    const uint index = *_indices.get_or_add(label, (uint)_labels.length(), &is_new);
    if (is_new) {
      _labels.append(label);
    }
    return index;
  }

  // False if it has none.
  bool has_index(jlong label, uint* index) const {
    const uint* const found = _indices.get(label);
    if (found != nullptr) {
      *index = *found;
    }
    return found != nullptr;
  }

  const GrowableArrayCHeap<jlong, mtGC>& labels() const { return _labels; }
};

#endif // SHARE_GC_H2_H2LABELINDICES_HPP
