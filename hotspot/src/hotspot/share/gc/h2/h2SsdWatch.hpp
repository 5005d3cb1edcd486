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

#ifndef SHARE_GC_H2_H2SSDWATCH_HPP
#define SHARE_GC_H2_H2SSDWATCH_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

struct H2EngineStats;

// Whether the SSD takes what H2 gives it. One that others have filled, or that fails, is
// no error by itself: pages stay in memory. But then H2 cannot give memory back, and what
// does not fit any more has to end in an OutOfMemoryError.
class H2SsdWatch : AllStatic {
  static uint64_t _errors;         // bd_errors when this looked last
  static double   _refused_at;     // seconds since the start of the VM; negative if it never did
  static double   _warned_at;
  static double   _named_at;       // as the reason of an OutOfMemoryError

  static void warn(uint64_t errors);

 public:
  // Each second, by H2Director's thread.
  static void look(const H2EngineStats& engine);
  // Whether H2 has an SSD that takes what it is given.
  static bool takes_writes();
  // An OutOfMemoryError follows. Says so if the SSD is why.
  static void allocation_failed();
};

#endif // SHARE_GC_H2_H2SSDWATCH_HPP
