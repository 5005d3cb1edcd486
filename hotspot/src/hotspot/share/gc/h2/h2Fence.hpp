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

#ifndef SHARE_GC_H2_H2FENCE_HPP
#define SHARE_GC_H2_H2FENCE_HPP

#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"

// The bounds of H2, apart from H2Heap so that stock headers which every file of the VM
// includes need nothing else: a change of H2Heap compiles some dozens of files, a change
// here all of them.
//
// H2 lies below H1. So "is it in H2?" is one compare with the end of H2, for values known
// to be heap references. When H2 is off both bounds are null, and nothing is ever in H2.
class H2Fence : AllStatic {
  friend class H2Heap;

  static HeapWord* _start;
  static HeapWord* _end;

 public:
  static bool contains(const void* p) { return p < _end && p >= _start; }
  static bool contains(oop obj)       { return cast_from_oop<HeapWord*>(obj) < _end; }
};

#endif // SHARE_GC_H2_H2FENCE_HPP
