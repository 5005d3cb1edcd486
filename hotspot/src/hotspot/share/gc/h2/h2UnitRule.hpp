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

#ifndef SHARE_GC_H2_H2UNITRULE_HPP
#define SHARE_GC_H2_H2UNITRULE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>

// Decides how many bytes are compressed as one where nobody says so. A fault on objects that lie scattered decodes all of a
// unit. But larger units are denser, and without an SSD that is what limits how much there can be. The kernel maps whole
// pages, so a unit has at least one.
class H2UnitRule {
 public:
  static size_t usual_bytes(bool has_ssd, size_t page) {
    const size_t usual = has_ssd ? 8 * 1024 : 16 * 1024;
    return usual < page ? page : usual;
  }
};

#endif // SHARE_GC_H2_H2UNITRULE_HPP
