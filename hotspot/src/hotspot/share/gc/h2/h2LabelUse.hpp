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

#ifndef SHARE_GC_H2_H2LABELUSE_HPP
#define SHARE_GC_H2_H2LABELUSE_HPP

#include "gc/h2/h2Backend.hpp"
#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

class H2Region;

// The part of H2 that a label, or a part of it, has.
struct H2LabelUse {
  jlong    _label;
  uint     _regions;
  size_t   _bytes;
  size_t   _dead;    // of these, at the last look
  H2Census _census;

  // All of a region.
  void add(const H2Region* region);
  // The part that a label has of one that others share.
  void add_part(const H2Region* region, HeapWord* start, HeapWord* end, size_t dead);

  // All labels in use, in ascending order. H2OwnLabels::Shared has the regions that labels
  // share, and they have the bytes. At a safepoint, or with the Heap_lock,
  // and with a ResourceMark. Looks at each unit's state, at no page of H2.
  static void collect(GrowableArray<H2LabelUse>* uses);
};

#endif // SHARE_GC_H2_H2LABELUSE_HPP
