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

#ifndef SHARE_GC_H2_H2AUTOARRAYS_HPP
#define SHARE_GC_H2_H2AUTOARRAYS_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

class H2GroupFinder;

// H2Auto: large primitive arrays that have survived a full GC move without a tag.
// They have no closure, no backward references, and nothing to write into but
// elements.
class H2AutoArrays : AllStatic {
 public:
  static void find(H2GroupFinder* finder);
};

#endif // SHARE_GC_H2_H2AUTOARRAYS_HPP
