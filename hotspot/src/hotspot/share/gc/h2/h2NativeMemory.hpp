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

#ifndef SHARE_GC_H2_H2NATIVEMEMORY_HPP
#define SHARE_GC_H2_H2NATIVEMEMORY_HPP

#include "memory/allStatic.hpp"

// Tells native memory tracking of the memory that the engine below H2 maps without HotSpot's calls: H2 Pages, H2 Pool,
// H2 Staging, and its own part of H2 Tables. All of H2's addresses count as reserved for H2 Pages.
class H2NativeMemory : AllStatic {
 public:
  // When H2 is open: its addresses are no longer the Java heap's.
  static void initialize();
  // Brings the figures up to date. Does nothing in a crash, as the engine may be in its middle then.
  static void update();
};

#endif // SHARE_GC_H2_H2NATIVEMEMORY_HPP
