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

#ifndef SHARE_GC_H2_H2LIMITWATCH_HPP
#define SHARE_GC_H2_H2LIMITWATCH_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// A container's limit may fall while the program runs. The engine gives pages back by
// itself. H1 does so only in a full GC: so there is one, which gives back all that it leaves
// free, eden too. And somebody has to say that less than the program needs is left.
class H2LimitWatch : AllStatic {
  static size_t _limit;       // when this looked last; 0 before it did
  static bool   _has_fallen;  // and no full GC has followed

  static void warn(size_t before, size_t now);

 public:
  // Each second, by H2Director's thread. Whether a full GC has to follow.
  static bool look();
  static bool has_fallen() { return _has_fallen; }
  // When memory was divided anew after a full GC.
  static void full_finished();
};

#endif // SHARE_GC_H2_H2LIMITWATCH_HPP
