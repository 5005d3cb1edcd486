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

#ifndef SHARE_GC_H2_H2REGIONCLAIMER_HPP
#define SHARE_GC_H2_H2REGIONCLAIMER_HPP

#include "utilities/globalDefinitions.hpp"

// Shares the regions in use out to workers.
class H2RegionClaimer {
  // Regions of a label that has many lie in runs, of which the first stands for all.
  static const uint Stride = 64;

  volatile uint _next;

 public:
  H2RegionClaimer() : _next(0) {}
  void reset() { _next = 0; }

  // Calls f with each region in use that no other worker has claimed.
  template <typename Function>
  inline void each(Function f);
};

#endif // SHARE_GC_H2_H2REGIONCLAIMER_HPP
