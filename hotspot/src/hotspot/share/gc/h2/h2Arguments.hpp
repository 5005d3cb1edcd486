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

// The flags of H2: chosen, checked, and completed. A combination that cannot be is refused at
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
};

#endif // SHARE_GC_H2_H2ARGUMENTS_HPP
