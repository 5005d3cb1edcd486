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

#ifndef SHARE_GC_H2_H2MAXHEAP_HPP
#define SHARE_GC_H2_H2MAXHEAP_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// Keeps the maximum of H1 within what the container's limit holds. The kernel kills a
// process that exceeds that limit, while an H1 that is full ends in an OutOfMemoryError.
class H2MaxHeap : AllStatic {
  static size_t      _asked;      // what H1 would have had, if that was cut; else 0
  static const char* _chosen_by;  // the option or flag that the user gave for it; null if none

  static const char* given_option();
  static size_t largest();

 public:
  // Before heap sizes are computed.
  static void keep_within_limit();
  // Whether it was cut. The start log says so then.
  static bool is_cut() { return _asked > 0; }
  // Whether the user gave -Xmx.
  static bool is_given();
  // For messages: who chose it.
  static const char* chosen_by() { return _chosen_by == nullptr ? "chosen by the VM" : _chosen_by; }
  static void warn();
};

#endif // SHARE_GC_H2_H2MAXHEAP_HPP
