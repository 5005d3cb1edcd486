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

#ifndef SHARE_GC_H2_H2LOANRULE_HPP
#define SHARE_GC_H2_H2LOANRULE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>

// The state of eden, in bytes.
struct H2LoanSnapshot {
  size_t _capacity;
  size_t _free;
  size_t _needed;   // of it, before H2 could give anything back
  size_t _survivors; // of the survivor spaces, which a GC alone would touch
  size_t _lent;     // of all that, already
  size_t _limit;    // of the process
  bool   _misses;   // whether H2 lacks memory
  int    _looks;    // in a row at which it did
};

// Decides how much of the free part of eden H2 borrows while no young GC is near. A program that begins to allocate at
// once is faster than H2 gives back: so what is lent of eden is a small part of the limit, which the kernel can take elsewhere.
class H2LoanRule {
  static const size_t MostPart = 16;
  // A smaller loan is not worth a safepoint.
  static const size_t LeastStep = 4 * 1024 * 1024;
  static const int LeastLooks = 4;

 public:
  static size_t bytes(const H2LoanSnapshot& s) {
    const size_t spare = s._free > s._needed ? s._free - s._needed : 0;
    const size_t most = s._limit / MostPart;
    const size_t loan = (spare < most ? spare : most) + s._survivors;
    if (loan <= s._lent) {
      return loan;
    }
    return s._misses && loan - s._lent >= LeastStep ? loan : s._lent;
  }

  // Whether a GC pays: H2 lacks memory for long, and could have much more of an empty eden.
  static bool wants_gc(const H2LoanSnapshot& s) {
    H2LoanSnapshot after = s;
    after._free = s._capacity;
    const size_t gain = bytes(after) - s._lent;
    return s._looks >= LeastLooks && s._free > s._needed && gain >= 4 * LeastStep && gain >= s._limit / 64;
  }
};

#endif // SHARE_GC_H2_H2LOANRULE_HPP
