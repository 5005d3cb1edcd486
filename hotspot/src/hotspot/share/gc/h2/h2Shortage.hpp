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

#ifndef SHARE_GC_H2_H2SHORTAGE_HPP
#define SHARE_GC_H2_H2SHORTAGE_HPP

#include "gc/h2/h2GarbageRule.hpp"
#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// Decides when H2 is so short of room that it is worth to look for garbage in it,
// although nobody asks. Looks that find little come more and more rarely: each of these
// doubles the number of full GCs until the next, unless H2 grows. Where nobody tags, shapes make looks
// cheap enough to take one before H2 is short (see H2GarbageRule).
class H2Shortage : AllStatic {
  static bool   _refused;        // since the last look something found no room
  static uint   _collections;    // full GCs since the last look
  static uint   _fruitless;      // looks in a row that found little
  static size_t _used;           // of H2, after the last look
  static bool   _is_early;       // the current look is taken before H2 is short
  static uint   _fruitless_early; // such looks in a row that found little
  static uint   _owed_since;     // the value of _collections when the last resort was a move, without a look; 0 if it looked

  static bool is_short();
  static bool has_waited();
  static bool may_move_first();
  static H2GarbageSnapshot garbage(size_t used);
  static bool has_grown_cheaply();

 public:
  // Something that was to move found no room, or no memory.
  static void refused() { _refused = true; }
  // Has something found no room since?
  static bool was_refused() { return _refused; }
  // A look has been taken: of so much that was used, and so much came free.
  static void looked(size_t used, size_t reclaimed, bool for_room);

  // Once in each full GC, at its start; null if there is none. The last resort is a GC
  // before an OutOfMemoryError, for which no look is too expensive, unless a move may be enough. It clears all soft references.
  static const char* reason_to_look(bool last_resort);
  // Whether the reason in this GC is that H2 has grown, and is not short.
  static bool is_early()    { return _is_early; }
  // Whether the next full GC would look for that reason, if so many bytes more move until then.
  static bool will_look_early(size_t more);
  // Whether such looks have found little lately.
  static bool finds_little_early()    { return _fruitless_early > 0; }
  // Whether an allocation that fails all the same has to be tried again, with a look. By any thread, as no
  // full GC runs meanwhile.
  static bool owes_look();
};

#endif // SHARE_GC_H2_H2SHORTAGE_HPP
