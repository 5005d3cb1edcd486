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

#ifndef SHARE_GC_H2_H2FILLER_HPP
#define SHARE_GC_H2_H2FILLER_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// Makes fillers of what is dead in H2, so that whoever walks through memory can go on.
class H2Filler : AllStatic {
 public:
  // Space that begins with a dead object, or a filler, becomes one filler, unless it can stay as it is: nothing
  // may be left of objects that refer to others, or have a class that may be unloaded. In the unit of the engine in which
  // it begins it is zeros then, which take next to no memory once the unit is compressed again. Whole units in it
  // are zeros, as they were given back.
  static void fill_gap(HeapWord* start, HeapWord* end);
  // The same where any bytes may lie.
  static void fill(HeapWord* start, HeapWord* end);
};

#endif // SHARE_GC_H2_H2FILLER_HPP
