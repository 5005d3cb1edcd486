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


#ifndef SHARE_GC_H2_H2BUDGET_HPP
#define SHARE_GC_H2_H2BUDGET_HPP

#include "memory/allStatic.hpp"

// The DRAM of H2 where nobody has said how it is to be divided: its own part of
// the memory limit, and what the ordinary heap has not committed of its maximum.
//
// The rest of the limit is kept for what the process needs beside both heaps. At
// first that is a guess on the safe side; where the limit is a container's, it is
// measured at each GC, and what was guessed too much goes to H2, a little at a
// time.
class H2Budget : AllStatic {
  static size_t _spare;           // of what was kept for what is neither heap
  static size_t _young_touched;   // of the young generation, in bytes

 public:
  // A GC begins, and ends.
  static void prepare();
  static void measure();

  // The ordinary heap has committed or uncommitted memory, or may have. By the
  // thread that did it.
  static void share();

  // After a full GC that somebody asked for, by the VM thread: what the old
  // generation does not need is uncommitted. After others the size policy decides.
  static void shrink_old();
};

#endif // SHARE_GC_H2_H2BUDGET_HPP
