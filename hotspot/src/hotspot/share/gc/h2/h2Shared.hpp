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

#ifndef SHARE_GC_H2_H2SHARED_HPP
#define SHARE_GC_H2_H2SHARED_HPP

#include "gc/h2/h2ObjectBits.hpp"
#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"

class ReferenceDiscoverer;

// The objects in H1 that others than a group's own objects hold for long. A group that
// took them along could never die, so they move to a region of their own or not at all.
//
// They are what classes hold: what static fields and constant pools refer to, such as
// enum constants and shared empty arrays, and what method handles and call sites among
// that are bound to, such as a lambda that captures nothing.
//
// And they are what cleaning needs. A cleaner's action is a strong field of its
// PhantomReference (PhantomCleanableRef::action, jdk.internal.ref.Cleaner::thunk), and what
// is to be cleaned often has it as a field, too (Inflater, MemorySegment's sessions). In one
// region with the action it would never be found dead. So what a PhantomReference refers to
// is shared, and so is what this refers to if the referent refers to it as well (the state
// in cleaner.register(this, state::close)).
class H2Shared : AllStatic {
  static H2ObjectBits _bits;
  static bool         _initialized;

 public:
  // Before marking, which adds what cleaning needs.
  static void prepare();
  static bool is_initialized() { return _initialized; }
  // For marking: one around the collector's, or that one when H2 is off.
  static ReferenceDiscoverer* discoverer(ReferenceDiscoverer* collectors);

  // After marking. False when there is no memory for the bitmap.
  static bool add_what_classes_hold();
  static void clear();

  static inline bool contains(oop obj);
  // True for the one caller that added it.
  static inline bool add(oop obj);
};

#endif // SHARE_GC_H2_H2SHARED_HPP
