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

#ifndef SHARE_GC_H2_H2STARTLOG_HPP
#define SHARE_GC_H2_H2STARTLOG_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// The VM says once, at start, what its flags come to: a line per subject, "Subject:
// facts", and a warning, "problem; remedy", where the memory limit or compressed oops
// do not hold what was asked for. ztera doctor reads both.
class H2StartLog : AllStatic {
  static bool _wide_oops_asked_for;

  static void print_memory_limit();
  static void print_h1();
  static void print_h2_memory();
  static void print_tiers();
  static void print_oops();

  static void warn_of_memory_limit();
  static void warn_of_max_heap();
  static void warn_of_h2_maxima();
  static void warn_of_wide_oops();
  static void warn_of_capped_heap();

 public:
  // Before the VM chooses between compressed oops and wide ones: what the user chose.
  static void prepare();
  // Names the flags that need H2Size, when the user did not give it.
  static void warn_of_unused_flags();
  // When heap sizes, their place and the first guess of the budget are known.
  static void print();
};

#endif // SHARE_GC_H2_H2STARTLOG_HPP
