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

#ifndef SHARE_GC_H2_H2CROSSINGS_HPP
#define SHARE_GC_H2_H2CROSSINGS_HPP

#include "memory/referenceType.hpp"
#include "utilities/globalDefinitions.hpp"

// References to H2 from outside that marking has met.
struct H2CrossingCounts {
  uint64_t _strong;      // a sum over strong references, which differs when one of them does
  size_t   _references;  // Reference objects
  size_t   _soft;        // of these, SoftReferences
};

// One worker's part of it. Workers live as long as the VM.
class H2Crossings {
  static H2Crossings* _all;

  H2CrossingCounts   _counts;
  H2Crossings* const _next;

 public:
  // While the heap is made, by one thread.
  H2Crossings() : _counts(), _next(_all) { _all = this; }

  void add_strong(const void* target) {
    const uint64_t mixed = (uint64_t)target * UINT64_C(0x9e3779b97f4a7c15);
    _counts._strong += mixed ^ (mixed >> 32);
  }

  void add_reference(ReferenceType type) {
    _counts._references++;
    _counts._soft += type == REF_SOFT ? 1 : 0;
  }

  // The sum of all workers, which begin anew. By the VM thread, while no worker runs.
  static H2CrossingCounts take();
};

#endif // SHARE_GC_H2_H2CROSSINGS_HPP
