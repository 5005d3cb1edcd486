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


#ifndef SHARE_GC_H2_H2LIMITS_HPP
#define SHARE_GC_H2_H2LIMITS_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// The limits that flags, container and machine say of memory, as they are now. All that divides memory stands on it.
class H2Limits : AllStatic {
 public:
  static constexpr size_t MinResident = 4 * M;
  static constexpr size_t MinPool = 8 * M;

  // Bytes that the process may use in all, and bytes that the machine has.
  static size_t memory_limit();
  static size_t machine_memory();
  // The most that the former may become, if somebody raises the container's limit.
  static size_t most_memory();
  // Whether no other process uses the same memory.
  static bool is_limit_our_own();
  // Whether H2 has DRAM of its own: what the limit leaves beside the ordinary heap.
  static bool shares_budget();
  // DRAM that H2 needs of it in any case, and uncompressed pages of that.
  static size_t least_bytes();
  static size_t least_resident_bytes();
  // Buffers of objects on their way to H2, at most.
  static size_t staging_bytes();
};

#endif // SHARE_GC_H2_H2LIMITS_HPP
