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

#ifndef SHARE_GC_H2_H2ARGUMENTS_HPP
#define SHARE_GC_H2_H2ARGUMENTS_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// The flags of H2: chosen, checked, and completed. What cannot be is refused at
// start with a message that names flag, value, limit and remedy.
class H2Arguments : AllStatic {
  static void choose_size_for_program();
  static void check_collector();
  static void check_names();
  static void check_sizes();
  static void check_path();
  static void check_mapped_file(size_t free_bytes);
  static void choose_ssd_size(size_t free_bytes);
  static void choose_ssd_size_of_device();
  static void choose_region_and_unit();

 public:
  // Chooses a collector that H2 works with when the user chose none. False if that is not done.
  static bool select_collector();
  // After the collector is known and before heap sizes are.
  static void initialize();
  // After heap sizes are known: says what the memory limit leaves, and warns where
  // it does not hold what was asked for.
  static void choose_memory();
  // Bytes that the process may use in all, and bytes that the machine has.
  static size_t memory_limit();
  static size_t machine_memory();
  // Whether no other process uses the same memory.
  static bool is_limit_our_own();
  // Whether H2 has DRAM of its own: what the limit leaves beside the ordinary heap.
  static bool shares_budget();
  // What H2 needs of it in any case, and uncompressed pages of that.
  static size_t least_bytes();
  static size_t least_resident_bytes();
  // Whether nothing is asked for that only the engine can do.
  static bool may_be_mapped_file();
  // Whether threads that fault on H2 serve themselves.
  static bool serves_own_faults();

  // Address space of H2 in the heap reservation; 0 when H2 is off.
  static size_t reserved_bytes();
  static size_t staging_bytes();
  // What compressed oops leave for the ordinary heap when they can address
  // max_bytes in all.
  static size_t max_h1(size_t max_bytes);
  // The largest H2Size that takes no more than max_bytes of addresses; 0 if there
  // is none.
  static size_t max_h2(size_t max_bytes);
};

#endif // SHARE_GC_H2_H2ARGUMENTS_HPP
