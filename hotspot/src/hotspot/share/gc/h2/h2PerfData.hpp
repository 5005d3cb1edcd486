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

#ifndef SHARE_GC_H2_H2PERFDATA_HPP
#define SHARE_GC_H2_H2PERFDATA_HPP

#include "memory/allStatic.hpp"

// Puts what GC.h2_info tells, but for labels, into the file that jstat reads: nobody has to ask the VM for it. The names are those of
// docs/statistics.md behind "sun.gc.h2.", with "engine_" and "memory_" in front where JSON has such an object.
class H2PerfData : AllStatic {
 public:
  // When H2 is open.
  static void initialize();
  // Each second, and at the end of each GC.
  static void update();
};

#endif // SHARE_GC_H2_H2PERFDATA_HPP
