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

#ifndef SHARE_GC_H2_H2FOOTPRINT_HPP
#define SHARE_GC_H2_H2FOOTPRINT_HPP

#include "memory/allStatic.hpp"
#include "memory/memRegion.hpp"
#include "utilities/globalDefinitions.hpp"

// The memory of this process as the kernel counts it. Each number is 0 if the kernel does not tell.
class H2Footprint : AllStatic {
 public:
  // Bytes that count against the memory limit.
  static size_t counted_bytes();
  // Bytes that the kernel cannot take back without swap.
  static size_t anonymous_bytes();
  // Bytes that a piece of memory has in DRAM. The young generation may have pages of spaces that it has moved or made smaller.
  static size_t resident_bytes(MemRegion memory);
};

#endif // SHARE_GC_H2_H2FOOTPRINT_HPP
