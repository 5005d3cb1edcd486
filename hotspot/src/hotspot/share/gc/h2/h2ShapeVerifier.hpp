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

#ifndef SHARE_GC_H2_H2SHAPEVERIFIER_HPP
#define SHARE_GC_H2_H2SHAPEVERIFIER_HPP

#include "gc/h2/h2ByteBuffer.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "memory/allocation.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/growableArray.hpp"

class H2Region;

// Goes through a block's entries in order.
class H2ShapeCursor : public CHeapObj<mtGC> {
  size_t        _block;
  HeapWord*     _at;
  H2ByteBuffer  _bytes;    // others may be unpacked meanwhile
  H2ShapeReader _reader;

 public:
  typedef GrowableArrayCHeap<HeapWord*, mtGC> Targets;

  explicit H2ShapeCursor(size_t block);
  size_t block() const { return _block; }
  // Finds the entry that begins at p, behind those that were found, and its references.
  bool find(HeapWord* p, H2ShapeEntry* entry, Targets* targets);
};

// Compares the shapes of a region with memory, which it leaves as it is, gaps included.
class H2ShapeVerifier : public StackObj {
  typedef H2ShapeCursor::Targets Targets;

  const char* const _when;
  H2Region* const   _region;
  H2ShapeCursor*    _cursor;   // in the block that was looked at last; null before

  bool find(HeapWord* p, H2ShapeEntry* entry, Targets* targets);
  void compare(HeapWord* p, MemRegion part, const Targets& shape) const;
  void verify_array(HeapWord* p, size_t words) const;
  bool is_exact(size_t block) const;

 public:
  H2ShapeVerifier(const char* when, H2Region* region) : _when(when), _region(region), _cursor(nullptr) {}
  ~H2ShapeVerifier() { delete _cursor; }

  // Words that begin at p, behind what was verified before: the words of a gap, which are not to be read, or 0.
  size_t verify(HeapWord* p);

  // Whether an object begins there, reading no gap.
  static bool is_object_start(HeapWord* p);
};

#endif // SHARE_GC_H2_H2SHAPEVERIFIER_HPP
