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

#ifndef SHARE_GC_H2_H2WRITTENCLASSES_HPP
#define SHARE_GC_H2_H2WRITTENCLASSES_HPP

#include "gc/h2/h2WrittenRate.hpp"
#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"

class Klass;

// Classes of which the program writes to the objects in H2, such as the nodes of a map that grows.
// H2Written knows single objects of H1; but what moves is mostly too young to have been written to.
//
// Counts are of whatever had these addresses: a class that was unloaded may leave its counts to
// another one. They decide what moves, and no more.
class H2WrittenClasses : AllStatic {
  struct Entry {
    Klass* volatile _klass;
    volatile size_t _moved;
    volatile size_t _written;  // since the last full GC
    H2WrittenRate     _rate;
  };

  static const uint NumEntries = 1024;  // a power of two; classes beyond these are not known
  static const uint NumTries = 8;

  static Entry _entries[NumEntries];
  static uint  _num_high;

  static size_t hash(const void* p);
  static Entry* entry(Klass* klass, bool adds);
  static bool is_high(Klass* klass);

 public:
  // So many instances are about to move to H2. By any worker.
  static void note_moves(Klass* klass, size_t count);
  // A GC has found a reference to a young object in an instance of H2. By any worker.
  static void note_write(Klass* klass);
  // At the end of a full GC.
  static void full_finished();

  // Whether objects of the class should stay in H1.
  static bool contains(Klass* klass) { return _num_high > 0 && is_high(klass); }
};

#endif // SHARE_GC_H2_H2WRITTENCLASSES_HPP
