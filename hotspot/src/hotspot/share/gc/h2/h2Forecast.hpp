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

#ifndef SHARE_GC_H2_H2FORECAST_HPP
#define SHARE_GC_H2_H2FORECAST_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// The director's thread looks each second how fast eden fills, and so whether a young GC is far
// off. If it is, H2 borrows the room for a promotion until the GC begins, and gives it back then. The VM thread tells of GCs.
// Used only where H2 could give the room back.
class H2Forecast : public AllStatic {
  static size_t _eden_free;   // at the last look; 0 if there was none since the last GC
  static size_t _needed;      // of eden, until H2 could give something back
  static bool _is_gc_far;

 public:
  // While no GC runs.
  static void look();
  // H2 could not give anything back.
  static void expect_gc();

  // Returns whether the GC was said to be far off.
  static bool gc_started();

  static bool is_gc_far() { return _is_gc_far; }
  static size_t needed_eden() { return _needed; }
};

#endif // SHARE_GC_H2_H2FORECAST_HPP
