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

#ifndef SHARE_GC_H2_H2YOUNGGC_HPP
#define SHARE_GC_H2_H2YOUNGGC_HPP

#include "gc/h2/h2RegionClaimer.hpp"
#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// H2's part in a young GC: dirty cards of H2 are roots. All do nothing when H2 is
// off.
class H2YoungGC : AllStatic {
  static H2RegionClaimer _claimer;

 public:
  static void prepare();
  // Scans regions until none is left. By every worker at once. The worker, a class of the
  // collector's, has
  //   oop promote(oop obj)   copies a young object to the old generation if there is room; returns
  //                          its copy, which may be one that was made before
  //   void drain()           copies what these objects refer to
  template <typename Worker>
  static void scan_roots(Worker* worker);
  static void finish();
};

#endif // SHARE_GC_H2_H2YOUNGGC_HPP
