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


#ifndef SHARE_GC_H2_H2AUTORULE_HPP
#define SHARE_GC_H2_H2AUTORULE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>
#include <stdint.h>

// The objects that H2Auto takes first, and those only when that was not enough.
enum class H2AutoRound {
  Plain,    // all but the others
  Written,  // the program has written to it lately, or waited for it when it was in H2
  Arrays    // large arrays of references, which containers grow and write to
};

// Where objects are taken from. Each holds the ones before.
enum class H2AutoScope {
  Survivors,  // of a full GC
  Old,        // the old generation
  All         // a program that builds up data fills eden with them, too
};

// The state of H1 when all that was tagged has been found. Sizes are bytes.
struct H2AutoSnapshot {
  size_t   _old_max;
  size_t   _live;            // what lives in H1 and stays so far
  size_t   _gathered;        // of these bytes, of objects that came back from H2 as they are hot
  size_t   _live_survivors;  // what lives of the scopes, moving or not
  size_t   _live_old;
  uint32_t _threshold;       // H2MoveThreshold
  bool     _uses_tags;
  bool     _is_short;        // H2 lacks the DRAM that H1 takes (H2Director)
  bool     _is_last_resort;  // before an OutOfMemoryError
};

// Decides how much of H1 moves that nobody has tagged. Copying an object costs the same today or
// tomorrow, but a full GC that frees little is soon followed by another. So what begins
// at all goes down to a level far below that at which it began.
class H2AutoRule {
  // In percent of the old generation: a round begins if more than `from` lives, and ends with `to`.
  struct Levels {
    uint32_t _from;
    uint32_t _to;
  };

  // A program that tags has said what shall move; the rest stays until H1 is nearly full.
  static const uint32_t WithTags = 85;
  // Data that H1 has uncompressed, H2 could have compressed.
  static const uint32_t ShortFrom = 10;
  static const uint32_t ShortTo = 5;
  // One allocation that finds no room may want nearly all of it.
  static const uint32_t LastResort = 10;

  static Levels usual(H2AutoRound round) {
    switch (round) {
      case H2AutoRound::Plain:   return Levels{25, 25};
      case H2AutoRound::Written: return Levels{60, 50};
      default:                   return Levels{75, 60};
    }
  }

  template <typename T>
  static T least(T a, T b) { return a < b ? a : b; }

  static Levels levels(H2AutoRound round, const H2AutoSnapshot& s) {
    if (s._is_last_resort) {
      return Levels{LastResort, LastResort};
    }
    if (s._uses_tags) {
      return Levels{WithTags, WithTags};
    }
    if (s._is_short && round == H2AutoRound::Plain) {
      return Levels{ShortFrom, ShortTo};
    }
    const Levels levels = usual(round);
    return Levels{least(levels._from, s._threshold), least(levels._to, s._threshold)};
  }

 public:
  // So much moves in the round. 0 if there is no need for it.
  static size_t bytes(H2AutoRound round, const H2AutoSnapshot& s) {
    const Levels l = levels(round, s);
    const size_t percent = s._old_max / 100;
    const size_t stays = round == H2AutoRound::Plain && !s._is_last_resort ? least(s._gathered, s._live) : 0;
    const size_t live = s._live - stays;
    return live > percent * l._from ? live - percent * l._to : 0;
  }

  // The narrowest one that has so much.
  static H2AutoScope scope(size_t bytes, const H2AutoSnapshot& s) {
    return bytes <= s._live_survivors ? H2AutoScope::Survivors : bytes <= s._live_old ? H2AutoScope::Old : H2AutoScope::All;
  }
};

#endif // SHARE_GC_H2_H2AUTORULE_HPP
