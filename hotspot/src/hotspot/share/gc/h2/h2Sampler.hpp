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


#ifndef SHARE_GC_H2_H2SAMPLER_HPP
#define SHARE_GC_H2_H2SAMPLER_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

class H2GroupFinder;

// How candidates would compress.
struct H2Sample {
  // A thousand bytes of them take so many bytes of DRAM at most, with some confidence: the mean of
  // the sample and twice its standard error.
  uint   _cost;
  // The part of them that does not compress at all.
  double _raw_part;
};

// Estimates how candidates would compress, from a few units' worth of them, so
// that room for a move is counted in what the data will take.
class H2Sampler : AllStatic {
 public:
  // By the VM thread at a safepoint, before candidates get their addresses.
  static H2Sample sample(H2GroupFinder* finder, uint num_workers);
};

#endif // SHARE_GC_H2_H2SAMPLER_HPP
