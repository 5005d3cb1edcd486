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

#ifndef SHARE_GC_H2_H2OBJECTS_HPP
#define SHARE_GC_H2_H2OBJECTS_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

class ObjectClosure;

// The objects of H2, for what looks at all objects of the heap.
class H2Objects : AllStatic {
 public:
  // Start of the object (or filler) that holds p, null where nothing is allocated.
  static HeapWord* block_start(const void* p);

  // Applies the closure to every object, dead ones in live regions included.
  // Fillers are not passed on. At a safepoint only.
  static void iterate(ObjectClosure* cl);
  // The same in blocks that several threads can share out.
  static size_t num_blocks();
  static void iterate_block(size_t block, ObjectClosure* cl);
};

#endif // SHARE_GC_H2_H2OBJECTS_HPP
