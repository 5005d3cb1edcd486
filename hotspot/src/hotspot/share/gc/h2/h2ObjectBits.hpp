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

#ifndef SHARE_GC_H2_H2OBJECTBITS_HPP
#define SHARE_GC_H2_H2OBJECTBITS_HPP

#include "memory/memRegion.hpp"
#include "memory/reservedSpace.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/bitMap.hpp"

// A bit for each possible object start in a range. Backed by its own mapping, so
// that clearing gives the memory back.
class H2ObjectBits {
  MemRegion     _covered;
  ReservedSpace _space;
  BitMapView    _bits;

  BitMap::idx_t index(const HeapWord* p) const { return pointer_delta(p, _covered.start()) >> LogMinObjAlignment; }

 public:
  H2ObjectBits() : _covered(), _space(), _bits() {}

  // False when the memory cannot be had. May be tried again.
  bool initialize(MemRegion covered);
  void clear_all();

  // True for the one caller that set the bit.
  inline bool par_set(oop obj);
  inline bool contains(oop obj) const;
  // How many there are in the part of the range, and whether there is one.
  inline size_t count(MemRegion part) const;
  inline bool any(MemRegion part) const;
  // Calls f with each object of the part of the range.
  template <typename Function>
  inline void iterate(MemRegion part, Function f) const;
};

#endif // SHARE_GC_H2_H2OBJECTBITS_HPP
