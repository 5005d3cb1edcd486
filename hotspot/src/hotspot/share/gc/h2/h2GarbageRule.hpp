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

#ifndef SHARE_GC_H2_H2GARBAGERULE_HPP
#define SHARE_GC_H2_H2GARBAGERULE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>
#include <stdint.h>

// Facts at the start of a full GC. Sizes are bytes.
struct H2GarbageSnapshot {
  size_t   _used;        // of H2
  size_t   _left;        // was in use right after the last look, garbage that it left there included; 0 before
  size_t   _to_read;     // that a look would bring back, and this GC does not read anyway
  bool     _has_ssd;     // from which it may come
  uint32_t _fruitless;   // looks in a row that this rule took, and that found little
};

// Decides whether garbage in H2 is looked for before there is a shortage, as shapes make it cheap: when H2
// has grown by a quarter of what the last look left in use. Garbage between objects that live, whose space nobody gets
// back, is no growth: it would have each full GC look.
// A program that only loads data looks when it has grown to 1.25 times, half again and then twice as much.
class H2GarbageRule {
  // A full GC costs as much anyway.
  static const size_t Small = 32 * 1024 * 1024;
  static const uint32_t MostDoublings = 2;

 public:
  static bool has_grown(const H2GarbageSnapshot& s) {
    const uint32_t doublings = s._fruitless < MostDoublings ? s._fruitless : MostDoublings;
    const size_t quarter = s._left > Small ? s._left / 4 : Small / 4;
    return s._used >= Small && s._used >= s._left + (quarter << doublings);
  }

  static bool is_cheap(const H2GarbageSnapshot& s) {
    return s._to_read <= Small / 2 || s._to_read <= s._used / (s._has_ssd ? 16 : 2);
  }
};

#endif // SHARE_GC_H2_H2GARBAGERULE_HPP
