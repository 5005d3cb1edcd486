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

#ifndef SHARE_GC_H2_H2REACHED_HPP
#define SHARE_GC_H2_H2REACHED_HPP

#include "gc/h2/h2ObjectBits.hpp"
#include "memory/allStatic.hpp"

// Objects of H2 that marking has reached, in a look or ahead of it: a bit for each.
class H2Reached : AllStatic {
  static H2ObjectBits _bits;

 public:
  // False when there is no memory for the bitmap. May be tried again.
  static bool initialize();
  static const H2ObjectBits& bits() { return _bits; }

  static inline bool contains(oop obj);
  // True for the one caller that reached it.
  static inline bool add(oop obj);
  // Whether an object that begins in the part was reached.
  static inline bool any(MemRegion part);
  // Calls f with each of them.
  template <typename Function>
  static inline void each(MemRegion part, Function f);

  // Gives the memory back, too.
  static void clear();
};

#endif // SHARE_GC_H2_H2REACHED_HPP
