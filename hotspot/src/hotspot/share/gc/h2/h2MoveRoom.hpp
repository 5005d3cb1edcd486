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

#ifndef SHARE_GC_H2_H2MOVEROOM_HPP
#define SHARE_GC_H2_H2MOVEROOM_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// DRAM for a move while it lasts. Objects that move leave the old generation, which gives its pages
// back when H1 is compact. Until then objects would be there twice, and H2 would have to compress as
// much in the pause. But the young generation is mostly dead in a full GC, and is not wanted
// before its end. So its pages are lent to H2, and the old generation's pay for them.
class H2MoveRoom : AllStatic {
 public:
  // When groups were found, before their objects have addresses: of `marked` bytes of H1 they have so
  // many. Or before that, if H2 has no room for any.
  static void lend(size_t marked, size_t found);
  // When objects have addresses: so many bytes move.
  static void settle(size_t marked, size_t moving);
};

#endif // SHARE_GC_H2_H2MOVEROOM_HPP
