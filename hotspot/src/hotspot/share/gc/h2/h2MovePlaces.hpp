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

#ifndef SHARE_GC_H2_H2MOVEPLACES_HPP
#define SHARE_GC_H2_H2MOVEPLACES_HPP

#include "gc/h2/h2Labels.hpp"
#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

class H2GroupFinder;

// Where the labels of a move go. A place has regions of its own: it belongs to one label, or to all
// that share regions. Places of single labels have the numbers of these, and the shared one follows.
class H2MovePlaces {
  const GrowableArrayCHeap<jlong, mtGC>& _labels;
  GrowableArrayCHeap<bool, mtGC>         _shares;   // by label index
  int                                    _sharing;  // so many of them

 public:
  H2MovePlaces(H2GroupFinder* finder, uint num_workers);

  uint length() const               { return shared() + 1; }
  uint shared() const               { return (uint)_labels.length(); }
  uint of(uint label_index) const   { return _shares.at((int)label_index) ? shared() : label_index; }
  // The label that the place's regions have.
  jlong label(uint place) const     { return place == shared() ? H2OwnLabels::Shared : _labels.at((int)place); }
  int sharing() const               { return _sharing; }
};

#endif // SHARE_GC_H2_H2MOVEPLACES_HPP
