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

#ifndef SHARE_GC_H2_H2REFERENCES_HPP
#define SHARE_GC_H2_H2REFERENCES_HPP

#include "gc/h2/h2Crossings.hpp"
#include "gc/h2/h2LookRule.hpp"
#include "gc/h2/h2Referents.hpp"
#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/ticks.hpp"

class JavaThread;

// Soft, weak and phantom references to objects of H2 count as strong while regions live or die
// as a whole. The program waits for some of them: an entry of a WeakHashMap keeps its value, a
// DirectByteBuffer its memory.
//
// Class loaders wait, too: a region keeps those of its objects. So do References that lie in H2 (see H2Referents).
//
// Each full GC counts references, and sums up what else refers to H2. At its end H2LookRule decides on
// that. If it finds a reason, a second full GC follows at once, before the program goes on, and
// that one looks through H2 (see H2Liveness). So the program sees references cleared when a stock
// JVM clears them, and a collection that finds nothing changed costs no look.
class H2References : AllStatic {
  static H2CrossingCounts _met;             // in the last full GC
  static size_t           _loaders;         // that regions kept then
  static uint64_t         _strong_at_look;  // H2CrossingCounts::_strong when it was last looked
  static bool             _has_looked;
  static bool             _just_counted;    // the last full GC has done so, and the one that follows looks
  static bool             _counted_for_asked;  // somebody waited for the last one, which says so no more in the one that follows
  static size_t           _old_least;       // see H2LookSnapshot, as what follows
  static uint             _collections;
  static uint             _fruitless;
  static size_t           _cleared_before;  // the last look
  static double           _took;            // the last look, in seconds
  static Ticks            _looked;          // when that was
  static volatile size_t  _cleared;         // since the VM started
  static volatile bool    _written;
  static volatile bool    _asked;           // for a full GC, since the last one
  static bool             _is_pressed;      // memory is used up
  static volatile bool    _is_short;        // by the JDK itself

  static H2LookOccasion occasion();
  static H2LookSnapshot snapshot();

 public:
  // The thread has called System.gc(), and collects next.
  static void asked(JavaThread* thread);
  // The next full GC shall find what waits, as if the program had asked for it, and though the last look took long. At a safepoint.
  static void ask() {
    _asked = true;
    _is_pressed = true;
  }

  // Whether somebody waits for what this full GC finds.
  static bool is_asked()      { return _just_counted ? _counted_for_asked : occasion() != H2LookOccasion::Other; }

  // A card of H2 was found dirty: a field may have changed. By any worker.
  static inline void note_write() {
    if (!_written) {
      _written = true;
    }
  }
  // A look has found that the object of a reference, or of another weak handle, is dead.
  static void note_cleared();
  // How many since the VM started.
  static size_t cleared();

  // When marking is done, references are processed, and nothing of H2 is freed yet.
  static void marked();
  // At the end of a full GC: whether another one follows, which looks.
  static bool has_to_look();
  // In that one.
  static bool is_wanted()     { return _just_counted; }
  // Whether only the last resort of a GC clears some of what it met.
  static bool are_any_soft()  { return _met._soft > 0 || H2Referents::are_any_soft(); }
  // A look has been taken, for whatever reason, in so many seconds. It may have left references to what is dead.
  static void looked(bool found_all, double seconds);
};

#endif // SHARE_GC_H2_H2REFERENCES_HPP
