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

#ifndef SHARE_GC_H2_H2DEADREFERENTS_HPP
#define SHARE_GC_H2_H2DEADREFERENTS_HPP

#include "memory/allStatic.hpp"

// Clears References in H2 whose referents a look has not reached (see H2Referents).
class H2DeadReferents : AllStatic {
 public:
  // It has marked, and not swept. If it is not exact, it does not know all References whose referents are in H1.
  static void clear(bool is_exact);
};

#endif // SHARE_GC_H2_H2DEADREFERENTS_HPP
