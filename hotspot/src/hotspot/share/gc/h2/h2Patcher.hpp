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

#ifndef SHARE_GC_H2_H2PATCHER_HPP
#define SHARE_GC_H2_H2PATCHER_HPP

#include "gc/h2/h2Backend.hpp"
#include "memory/allocation.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/growableArray.hpp"

// Changes references of H2 whose places are known. Units that are not in memory stay where they are: the engine is told what to
// correct there once somebody wants them. Used by one thread.
class H2Patcher : public StackObj {
  size_t                            _unit;      // of the patches: its offset in H2
  GrowableArrayCHeap<H2Patch, mtGC> _patches;
  size_t                            _patched;   // references, in units that are not in memory

  template <typename T>
  static void write(char* place, T from, T to);
  void add(char* place, uint32_t from, uint32_t to);

 public:
  H2Patcher() : _unit(SIZE_MAX), _patches(), _patched(0) {}

  // The reference at this place, which is to one object, is to another one from now on. One that is to neither stays as it is.
  // Places of one unit come together.
  void change(char* place, oop from, oop to);
  // All changes are valid when this returns.
  void flush();

  size_t patched() const { return _patched; }
};

#endif // SHARE_GC_H2_H2PATCHER_HPP
