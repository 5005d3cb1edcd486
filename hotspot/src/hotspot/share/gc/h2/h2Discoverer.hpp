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

#ifndef SHARE_GC_H2_H2DISCOVERER_HPP
#define SHARE_GC_H2_H2DISCOVERER_HPP

#include "memory/allStatic.hpp"

class H2Crossings;
class ReferenceDiscoverer;

// Makes what marking asks about each Reference that it reads. That counts References to H2, sees what PhantomReferences need
// (see H2Held), and passes by referents of References in H2 (see H2Referents). It leaves the rest to the collector.
class H2Discoverer : AllStatic {
 public:
  // For one worker's marking: one around the collector's, or that one when H2 is off.
  static ReferenceDiscoverer* make(ReferenceDiscoverer* collectors, H2Crossings* crossings);
};

#endif // SHARE_GC_H2_H2DISCOVERER_HPP
