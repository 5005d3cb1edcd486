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

#ifndef SHARE_GC_H2_H2REGIONQUEUE_HPP
#define SHARE_GC_H2_H2REGIONQUEUE_HPP

#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"

// Indices of regions that wait for a worker, in the order in which they came. Each enters
// once at most, so that an array of one slot per region cannot overflow.
class H2RegionQueue : public CHeapObj<mtGC> {
  static const uint Unset = UINT_MAX;

  volatile uint* const _slots;
  volatile uint        _pushed;
  volatile uint        _popped;

 public:
  explicit H2RegionQueue(uint length);
  ~H2RegionQueue();

  // By any worker.
  void push(uint index);
  // False if none waits.
  bool pop(uint* index);
};

#endif // SHARE_GC_H2_H2REGIONQUEUE_HPP
