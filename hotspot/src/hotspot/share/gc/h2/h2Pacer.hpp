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

#ifndef SHARE_GC_H2_H2PACER_HPP
#define SHARE_GC_H2_H2PACER_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// Has H1 collected fully before it is full, where there is no SSD.
//
// Without one, compressed objects cannot leave DRAM, and the more H1 holds, the less is
// left for them. Were H1 to grow as far as it may, there might be no room any more for
// what its groups become when they are compressed, although all of it would fit if they
// moved. So they move as long as it does.
//
// Used by the VM thread, in a GC.
class H2Pacer : AllStatic {
  static size_t _old_after_full;   // bytes of the old generation
  static bool   _is_short;

 public:
  // At the end of a young GC and of a full one, when memory was shared anew.
  static void young_finished();
  static void full_finished();

  // Whether a full GC has to follow the young one, and groups have to move in it though
  // H1 has room.
  static bool is_short() { return _is_short; }
};

#endif // SHARE_GC_H2_H2PACER_HPP
