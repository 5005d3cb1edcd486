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

#ifndef SHARE_GC_H2_H2ADDRESSES_HPP
#define SHARE_GC_H2_H2ADDRESSES_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// The addresses that H2 takes, long before it takes memory, and what bounds them. Compressed oops can address so many. Batch
// systems set limits for a process: ulimit -v bounds all addresses, ulimit -d those of memory that may be written.
class H2Addresses : AllStatic {
  static size_t left_of(int resource, int field);
  static bool are_all_limited();

 public:
  static const size_t MinH2Size = 16 * M;

  // Address space of H2 in the heap reservation; 0 when H2 is off.
  static size_t reserved_bytes();
  // The part that compressed oops leave for the ordinary heap when they can address
  // max_bytes in all.
  static size_t max_h1(size_t max_bytes);
  // The largest H2Size that takes no more than max_bytes of addresses; 0 if there
  // is none.
  static size_t max_h2(size_t max_bytes);

  // Bytes that may still be reserved; SIZE_MAX without a limit.
  static size_t left();
  // The limit that leaves least, for messages: "ulimit -v".
  static const char* limit();
  // Bytes of that limit that the VM needs beside its heaps, about.
  static size_t beside();
};

#endif // SHARE_GC_H2_H2ADDRESSES_HPP
