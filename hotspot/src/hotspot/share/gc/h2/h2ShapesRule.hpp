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

#ifndef SHARE_GC_H2_H2SHAPESRULE_HPP
#define SHARE_GC_H2_H2SHAPESRULE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>
#include <stdint.h>

// Facts about the memory of shapes. Sizes are bytes.
struct H2ShapesSnapshot {
  size_t _shapes;        // that they take
  size_t _used;          // of H2, which they describe
  size_t _memory_limit;
};

// Decides how much memory shapes may take, and foresees how much they will.
class H2ShapesRule {
  // A look reads blocks without one. Six programs had shapes of 0.1 to 5 % of their data.
  static const size_t MostPart = 20;
  // A smaller H2 says little of what follows.
  static const size_t LeastUsed = 16 * 1024 * 1024;
  // Thousandths that data cost at least.
  static const uint32_t LeastCost = 1000 / 32;
  // Thousandths of what moves, as long as nobody knows better.
  static const size_t Guess = 30;

  static size_t room(const H2ShapesSnapshot& s) {
    const size_t most = s._memory_limit / MostPart;
    return most - (s._shapes < most ? s._shapes : most);
  }

  static size_t thousandths(const H2ShapesSnapshot& s) {
    return s._used < LeastUsed ? Guess : s._shapes / (s._used / 1000);
  }

 public:
  static bool may_take(const H2ShapesSnapshot& s, size_t bytes) { return bytes <= room(s); }

  // The bytes that shapes of so many bytes will take that are about to move.
  static size_t expected(const H2ShapesSnapshot& s, size_t moving) {
    const size_t bytes = moving / 1000 * thousandths(s);
    return bytes < room(s) ? bytes : room(s);
  }

  // So many of the bytes have memory beside their shapes, if a thousand of them take `cost`.
  static size_t fits(const H2ShapesSnapshot& s, size_t bytes, uint32_t cost) {
    // As the engine has it: what is sampled of data that are all the same costs nothing.
    cost = cost < LeastCost ? LeastCost : cost;
    const size_t shared = bytes / (cost + thousandths(s)) * cost;
    const size_t lost = room(s) / cost * 1000;
    const size_t most = bytes - (bytes < lost ? bytes : lost);
    return shared > most ? shared : most;
  }
};

#endif // SHARE_GC_H2_H2SHAPESRULE_HPP
