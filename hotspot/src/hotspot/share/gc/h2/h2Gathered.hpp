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

#ifndef SHARE_GC_H2_H2GATHERED_HPP
#define SHARE_GC_H2_H2GATHERED_HPP

#include "memory/allStatic.hpp"
#include "memory/memRegion.hpp"
#include "utilities/globalDefinitions.hpp"

// Where those objects lie in the old generation that came back from H2 since they are hot (see H2HotObjects).
//
// Nobody sees a read in H1, so nobody knows whether they are hot still. They stay while H1 has room: the first round of
// H2Auto leaves them out, and others that get hot later take the place of the oldest.
//
// Compaction keeps the order of objects, so what came back at once goes on lying in a row.
class H2Gathered : AllStatic {
  static const uint Kept = 8;

  static MemRegion _rows[Kept];   // the oldest first
  static uint      _count;

  static void forget_oldest();
  // Bytes that all of them may take.
  static size_t most();

 public:
  static size_t bytes();
  // Bytes that may be added.
  static size_t room();
  // At the top of the old generation. Before marking.
  static void add(MemRegion row);
  // Objects that live have got new places. In a full GC, before they move.
  static void slide();

  static bool contains(const HeapWord* p) {
    for (uint i = 0; i < _count; i++) {
      if (_rows[i].contains(p)) {
        return true;
      }
    }
    return false;
  }
};

#endif // SHARE_GC_H2_H2GATHERED_HPP
