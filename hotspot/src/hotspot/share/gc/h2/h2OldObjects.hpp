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


#ifndef SHARE_GC_H2_H2OLDOBJECTS_HPP
#define SHARE_GC_H2_H2OLDOBJECTS_HPP

#include "gc/h2/h2AutoRule.hpp"
#include "gc/h2/h2Walk.hpp"
#include "memory/allocation.hpp"
#include "memory/memRegion.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/growableArray.hpp"

class H2GroupFinder;

// H2Auto: whatever is old moves without a tag, as much as H2AutoRule says, round by round.
//
// Each round begins with the elements of large arrays in order, as a container grows and
// iterates in that order, and goes on with the other objects by address. Each object
// takes along what it refers to, as far as the round takes it: so an entry has its key
// and value beside it. An object that comes first in the order moves first.
class H2OldObjects : public StackObj {
 public:
  // Elements of a large array.
  struct Slice {
    objArrayOop _array;
    int         _from;
    int         _to;
  };

 private:
  H2GroupFinder* const               _finder;
  const bool                         _is_short;
  const bool                         _is_last_resort;
  H2Walk                             _walk;
  bool                               _has_slices;
  GrowableArrayCHeap<Slice, mtGC>    _slices;

  H2AutoSnapshot snapshot() const;
  void find_slices();

 public:
  // See H2AutoSnapshot.
  H2OldObjects(H2GroupFinder* finder, bool is_short, bool is_last_resort);

  // Finds about so many bytes of what the round takes within the scope.
  void walk(H2AutoRound round, H2AutoScope scope, size_t bytes);

  // Finds what is to move, up to about max_bytes together with what was found before.
  void find(size_t max_bytes);
};

#endif // SHARE_GC_H2_H2OLDOBJECTS_HPP
