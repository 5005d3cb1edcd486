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

#ifndef SHARE_GC_H2_PARALLEL_H2SURVIVORS_HPP
#define SHARE_GC_H2_PARALLEL_H2SURVIVORS_HPP

#include "utilities/globalDefinitions.hpp"

// Lends H2 the memory of the survivor spaces that no object lies in. One of the two is
// empty between two young GCs, and mostly so is the greater part of the other one; but
// pages that were once written stay in memory.
//
// A young GC may copy as much as those before it did, and some more, before H2 has to
// give back. Only the VM thread in a safepoint uses this class, except for what counts bytes.
class H2Survivors {
  size_t _copied;   // bytes by the last young GC, or the most of those before, fading

  size_t expected_bytes() const;
  static size_t empty_bytes(size_t expected);

 public:
  H2Survivors() : _copied(0) {}

  // At the end of a young GC.
  void young_finished();
  // At the end of any GC: gives pages to the kernel.
  void give_back();

  // Bytes of the young generation that can be lent.
  size_t spare_bytes() const;

  // Bytes beside these that hold no object. The next young GC may want them.
  size_t idle_bytes() const;
  // Between two GCs: gives their pages to the kernel. Returns how many bytes those are.
  size_t give_back_idle();
};

#endif // SHARE_GC_H2_PARALLEL_H2SURVIVORS_HPP
