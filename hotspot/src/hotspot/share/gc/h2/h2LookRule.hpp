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

#ifndef SHARE_GC_H2_H2LOOKRULE_HPP
#define SHARE_GC_H2_H2LOOKRULE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>
#include <stdint.h>

// Why a full GC took place, as far as references to H2 are concerned.
enum class H2LookOccasion {
  Other,   // an allocation found no room in H1, a group is to move, and the like
  Asked,   // the program, a tool, or Metaspace
  Short    // the JDK itself asked, as memory beside the heap ran out; Metaspace the last time
};

// The numbers that are known at the end of a full GC that has stopped at the fence. Sizes are bytes.
struct H2LookSnapshot {
  H2LookOccasion _occasion;
  size_t         _references;   // Reference objects that refer to H2, and class loaders that regions keep
  bool           _changed;      // since the last look: what H1 refers to in H2, or a field in H2
  size_t         _h2_used;
  size_t         _old_used;
  size_t         _old_least;    // the least that was left used by a full GC since the last look
  size_t         _old_max;
  uint32_t       _collections;  // full GCs since the last look
  uint32_t       _fruitless;    // looks in a row that cleared no reference
  double         _took;         // seconds, of the last look with all of its marking; 0 before
  double         _since;        // seconds that have passed since
};

// Decides whether a look through H2 follows a full GC for the sake of soft, weak and phantom
// references, which count as strong until then. A stock JVM clears them in each full GC, but a
// look reads all that lives in H2. So one is taken only if something can have died, and the more
// rarely the less the last ones found.
class H2LookRule {
  static const uint32_t MostDoublings = 6;
  // Somebody who asks for a collection looks at what it has done.
  static const uint32_t MostDoublingsAsked = 3;
  // A look that reads nearly all of H2 from an SSD takes half a minute. Some libraries ask for collections whenever H1 has little room.
  static constexpr double LongSeconds = 2.0;
  static constexpr double LeastShare = 8.0;
  // A reference is worth to read so much of H2, which takes about a millisecond.
  static const size_t BytesPerReference = 1024 * 1024;

  static bool has_waited(const H2LookSnapshot& s, uint32_t most) {
    return s._collections >= (uint32_t)1 << (s._fruitless < most ? s._fruitless : most);
  }

  // Looks that somebody asks for take about a ninth of the time at most, where each is long.
  static bool has_rested(const H2LookSnapshot& s) {
    return s._took < LongSeconds || s._since >= LeastShare * s._took;
  }

  static bool are_many(const H2LookSnapshot& s) {
    return s._references >= s._h2_used / BytesPerReference;
  }

  // Objects that hang on references that nobody clears pile up in H1.
  static bool is_filling(const H2LookSnapshot& s) {
    const size_t eighth = s._old_max / 8;
    return s._old_used >= s._old_least + eighth || s._old_used > s._old_max - eighth;
  }

 public:
  // Null if there is none.
  static const char* reason(const H2LookSnapshot& s) {
    if (s._references == 0 || !s._changed) {
      return nullptr;
    }
    switch (s._occasion) {
      case H2LookOccasion::Short:
        return "memory beside the heap is short, and references to H2 wait";
      case H2LookOccasion::Asked:
        return has_waited(s, MostDoublingsAsked) && has_rested(s) ? "a collection was asked for, and references to H2 wait" : nullptr;
      default:
        return are_many(s) && is_filling(s) && has_waited(s, MostDoublings) ? "H1 fills up, and references to H2 wait" : nullptr;
    }
  }
};

#endif // SHARE_GC_H2_H2LOOKRULE_HPP
