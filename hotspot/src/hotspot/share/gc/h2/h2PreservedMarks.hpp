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

#ifndef SHARE_GC_H2_H2PRESERVEDMARKS_HPP
#define SHARE_GC_H2_H2PRESERVEDMARKS_HPP

#include "memory/allocation.hpp"
#include "oops/markWord.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/growableArray.hpp"

// A header that has more to say than that the object is unlocked: an identity
// hash code or a monitor.
struct H2PreservedMark {
  HeapWord* _object;
  markWord  _mark;

  H2PreservedMark() : _object(nullptr), _mark(0) {}
  H2PreservedMark(oop obj, markWord mark) : _object(cast_from_oop<HeapWord*>(obj)), _mark(mark) {}
};

// The headers of all candidates that have to be preserved, by address.
class H2PreservedMarks {
  GrowableArrayCHeap<H2PreservedMark, mtGC> _marks;

 public:
  void append(const GrowableArrayCHeap<H2PreservedMark, mtGC>* marks) { _marks.appendAll(marks); }
  void sort();

  // Gives the object, or its copy, the header that it had before it was claimed.
  void restore(oop original, oop copy) const;
  int length() const { return _marks.length(); }
};

#endif // SHARE_GC_H2_H2PRESERVEDMARKS_HPP
