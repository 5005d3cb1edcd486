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

#ifndef SHARE_GC_H2_H2MOVEDCLASSES_HPP
#define SHARE_GC_H2_H2MOVEDCLASSES_HPP

#include "gc/h2/h2WrittenClasses.hpp"
#include "utilities/globalDefinitions.hpp"

// Counts objects that one worker moves, class by class. Workers move millions of a few classes, so counters
// that they share would go from CPU to CPU with each object.
class H2MovedClasses {
  struct Count {
    Klass* _klass;
    size_t _objects;
  };

  static const uint NumCounts = 64;   // a power of two

  Count _counts[NumCounts];

  static void tell(Count* count) {
    if (count->_objects > 0) {
      H2WrittenClasses::note_moves(count->_klass, count->_objects);
      count->_objects = 0;
    }
  }

 public:
  H2MovedClasses() : _counts() {}

  void add(Klass* klass) {
    Count* const count = &_counts[((uintptr_t)klass >> LogBytesPerWord) % NumCounts];
    if (count->_klass != klass) {
      tell(count);
      count->_klass = klass;
    }
    count->_objects++;
  }

  // Tells H2WrittenClasses of all that were added.
  void finish() {
    for (Count& count : _counts) {
      tell(&count);
    }
  }
};

#endif // SHARE_GC_H2_H2MOVEDCLASSES_HPP
