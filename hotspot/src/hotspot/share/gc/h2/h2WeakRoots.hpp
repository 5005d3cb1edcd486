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

#ifndef SHARE_GC_H2_H2WEAKROOTS_HPP
#define SHARE_GC_H2_H2WEAKROOTS_HPP

#include "memory/allocation.hpp"
#include "oops/oopsHierarchy.hpp"
#include "oops/weakHandle.hpp"
#include "runtime/mutex.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

// An object and what it was labelled with. The handle is weak: it keeps nothing alive.
struct H2WeakRoot {
  WeakHandle _object;
  jlong      _label;
};

// Objects of H1 that threads add one by one. Any thread may add; the list is read and
// pruned at a safepoint.
class H2WeakRoots : public CHeapObj<mtGC> {
  GrowableArrayCHeap<H2WeakRoot, mtGC> _roots;  // oldest first
  Mutex                                _lock;
  int                                  _kept;   // when it was pruned last

 public:
  explicit H2WeakRoots(const char* lock_name) : _roots(), _lock(Mutex::nosafepoint, lock_name), _kept(0) {}

  void add(oop object, jlong label);

  const GrowableArrayCHeap<H2WeakRoot, mtGC>* all() const { return &_roots; }
  int count() const                                       { return _roots.length(); }

  // Drops what is dead or has moved, and all but the last entry of an object.
  void prune();
  // The same, if there is much more than what was kept the last time: full GCs may be rare.
  void prune_if_grown();
};

#endif // SHARE_GC_H2_H2WEAKROOTS_HPP
