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

#ifndef SHARE_GC_H2_H2SHARINGRULE_HPP
#define SHARE_GC_H2_H2SHARINGRULE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>
#include <stdint.h>

// Decides whether a label gets no region of its own, but shares some with other small ones.
// A region that one label has is free as soon as that dies, so few labels have one each. Each
// full GC visits all regions, and thousands of labels of a few KiB would leave them nearly empty.
class H2SharingRule {
  // Labels have regions of their own until so many are taken, or half of a small H2.
  static const uint32_t Few = 64;

  static uint32_t few(uint32_t regions) {
    const uint32_t sixteenth = regions / 16;
    const uint32_t half = regions / 2;
    const uint32_t least = half < Few ? half : Few;
    return sixteenth > least ? sixteenth : least;
  }

 public:
  // `words` of a label move, and it has no region yet that they could go to. `taken` of all
  // regions are in use.
  static bool shares(size_t words, size_t region_words, uint32_t taken, uint32_t regions) {
    return taken >= few(regions) && words <= region_words / 4;
  }
};

#endif // SHARE_GC_H2_H2SHARINGRULE_HPP
