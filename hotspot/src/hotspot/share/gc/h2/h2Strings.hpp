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

#ifndef SHARE_GC_H2_H2STRINGS_HPP
#define SHARE_GC_H2_H2STRINGS_HPP

#include "gc/h2/h2WeakRoots.hpp"
#include "memory/allStatic.hpp"

// String deduplication makes equal strings share one value, whatever groups they are of.
// A value in H2 would then live as long as any string that is equal, and its group with it.
// So a value that strings share stays in H1, and one that is in H2 is not shared any more.
//
// A string computes its hash when somebody first asks, and keeps it. In H2 that would be a write, which costs the
// unit its compressed object. So strings that move have their hash computed before.
class H2Strings : AllStatic {
  static H2WeakRoots* _shared_values;

 public:
  static void initialize();

  // Whether there is no use in looking at the string, whose page may not be in memory.
  static bool is_in_h2(oop string);

  // Whether deduplication may give the string this value, which is then known as shared.
  // By the thread that deduplicates.
  static bool may_share(oop string, typeArrayOop value);

  // Has a candidate compute its hash, unless it is long. Only for an object that another one refers to: a string whose
  // constructor is not over yet has no hash, and nobody but its thread knows it.
  static void keep_hash(oop string);

  // At a safepoint: the values that strings share.
  static const GrowableArrayCHeap<H2WeakRoot, mtGC>* shared_values() { return _shared_values->all(); }
  static void prune()          { _shared_values->prune(); }
  static void prune_if_grown() { _shared_values->prune_if_grown(); }
};

#endif // SHARE_GC_H2_H2STRINGS_HPP
