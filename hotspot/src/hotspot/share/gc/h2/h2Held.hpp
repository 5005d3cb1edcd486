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

#ifndef SHARE_GC_H2_H2HELD_HPP
#define SHARE_GC_H2_H2HELD_HPP

#include "gc/h2/h2ObjectBits.hpp"
#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"

// The objects in H1 that others than a group's own objects hold for long. A group that
// took them along could never die: they are of no group.
//
// They are what classes hold: what static fields and constant pools refer to, such as
// enum constants and shared empty arrays, what method handles and call sites among that
// are bound to, such as a lambda that captures nothing, and what the JDK's own caches have
// in them. They are what the VM itself holds: the strings of its archive, for one. And they
// are the values of strings that deduplication has found equal. H2Holders finds all these.
//
// Of these, some are held for good: by final fields and constant pools of classes that are
// never unloaded, and by the VM. They are the constants. They may move, to regions of their
// own, which live as long as one of them does, for ever in practice. So nothing else may
// get there, but for what refers to nothing. Without constants there, each reference
// to an enum constant would be a backward one.
//
// And they are what cleaning needs. A cleaner's action is a strong field of its
// PhantomReference (PhantomCleanableRef::action, jdk.internal.ref.Cleaner::thunk), and what
// is to be cleaned often has it as a field, too (Inflater, MemorySegment's sessions). In one
// region with the action it would never be found dead. So an action is shared, and so is
// what it refers to if the referent refers to it as well (the state in
// cleaner.register(this, state::close)). In PhantomReferences that are not the JDK's, what
// they refer to is an action if the referent refers to it, too.
class H2Held : AllStatic {
  static H2ObjectBits _bits;
  static H2ObjectBits _constants;
  static H2ObjectBits _met;
  static bool         _initialized;

 public:
  // Before marking, which adds what cleaning needs.
  static void prepare();
  // False when there is no memory for the bitmaps.
  static bool is_initialized() { return _initialized; }

  // The objects that constants refer to may change (AtomicReference), and their regions never die: what
  // these depend on is found out anew. At the start of a full GC.
  static void renew_dependencies();

  static void clear();

  static inline bool contains(oop obj);
  static inline bool is_constant(oop obj);
  // True for the one caller that added it.
  static inline bool add(oop obj);
  static inline bool add_constant(oop obj);
  // True for the one caller whose group came by it first.
  static inline bool meet(oop obj);
};

#endif // SHARE_GC_H2_H2HELD_HPP
