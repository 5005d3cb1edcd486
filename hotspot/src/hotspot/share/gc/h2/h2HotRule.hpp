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

#ifndef SHARE_GC_H2_H2HOTRULE_HPP
#define SHARE_GC_H2_H2HOTRULE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>

// A label, in bytes.
struct H2HotSnapshot {
  size_t _bytes;
  size_t _resident;
  size_t _written;    // of the resident ones, by the program since they came into memory
  size_t _rewritten;  // compressed again since the last full GC, as they had been written to
};

// Decides whether a label is written to so much that it had better be in H1: what of it is in memory is mostly written, and as
// much of it was compressed again as it has. Other labels do not matter, nor does a page without a compressed object:
// pages that nobody writes to give theirs up, too.
class H2HotRule {
 public:
  static const size_t LeastBytes = 1024 * 1024;  // less is not worth a return

  static bool is_hot(const H2HotSnapshot& s) {
    return s._written >= LeastBytes && s._written >= s._resident / 4 * 3 && s._rewritten >= s._bytes;
  }
};

#endif // SHARE_GC_H2_H2HOTRULE_HPP
