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

#ifndef SHARE_GC_H2_H2WRITTENRATE_HPP
#define SHARE_GC_H2_H2WRITTENRATE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>
#include <stdint.h>

// How many of the objects of one class that are in H2 the program writes to from one full GC to
// the next. A write brings the page in, costs it its compressed object, and leaves a reference to
// H1 that each full GC has to read. In H1 it costs nothing, but the object's memory.
class H2WrittenRate {
  // Fewer objects say nothing.
  static const size_t Enough = 1024;
  // In percent, from which on further objects of the class stay.
  static const size_t Often = 3;

  size_t _percent;

 public:
  H2WrittenRate() : _percent(0) {}

  // A full GC ends: so many objects had moved until then, and so many of them were written to since
  // the one before. Half of what was before counts: a container grows in bursts.
  void full_finished(size_t moved, size_t written) {
    const size_t now = moved < Enough ? 0 : written * 100 / moved;
    _percent = now > _percent / 2 ? now : _percent / 2;
  }

  bool is_high() const { return _percent >= Often; }
};

#endif // SHARE_GC_H2_H2WRITTENRATE_HPP
