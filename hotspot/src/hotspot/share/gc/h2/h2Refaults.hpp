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

#ifndef SHARE_GC_H2_H2REFAULTS_HPP
#define SHARE_GC_H2_H2REFAULTS_HPP

#include "gc/h2/h2RefaultSlot.hpp"
#include "memory/allStatic.hpp"
#include "runtime/atomic.hpp"
#include "utilities/globalDefinitions.hpp"

// The words of H2 that threads of the program waited for, as far as they serve their own faults (see H2Faults). A fault names
// the word that was touched. One that comes again and again has a hot object in a unit that is cold else: the unit leaves memory,
// and the object brings it back.
//
// A table of fixed size, for counts since the last gather. Words that are met once lose their places to those that come
// more often.
class H2Refaults : AllStatic {
  static const size_t Ways = 8;           // of a set, which is a cache line
  static const size_t Sets = 32 * K;

  static volatile uint64_t* _slots;       // null: nothing is counted
  static volatile uint64_t  _waited_ns;   // for words met before

  static volatile uint64_t* set_of(uint64_t word);

 public:
  static void initialize();

  // The thread has waited so long for what p points to. In a signal handler.
  static void note(const void* p, uint64_t ns);
  // At a safepoint: begins anew.
  static void clear();

  static uint64_t waited_ns() { return Atomic::load(&_waited_ns); }

  // Calls f(p, count) with each word that was met again.
  template <typename Function>
  static void each(Function f);
};

#endif // SHARE_GC_H2_H2REFAULTS_HPP
