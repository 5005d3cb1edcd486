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

#ifndef SHARE_GC_H2_H2LASTCHANCE_HPP
#define SHARE_GC_H2_H2LASTCHANCE_HPP

#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"

// One allocation, which may fail although its collections have cleared references to H2: only
// the program's own threads can then drop what hangs on these. A stock JVM clears references in
// each full GC, so that such threads have had their turn. Here they get it before an
// OutOfMemoryError, as Bits.reserveMemory gives it to those that free direct memory. Other
// processes get time, too, if they have memory of the container that H2 may have.
class H2LastChance : public StackObj {
  size_t _cleared;  // references, when the allocation began
  uint   _tries;
  uint   _waits;    // for other processes
  bool   _looks;    // the next try does what the last one owed

  bool waits_for_neighbours();

 public:
  H2LastChance();

  // The allocation has failed. True if it is worth another try; then other threads have had
  // some milliseconds. By the Java thread that allocates.
  bool take();
};

#endif // SHARE_GC_H2_H2LASTCHANCE_HPP
