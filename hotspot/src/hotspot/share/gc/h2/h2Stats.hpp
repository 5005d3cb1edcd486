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

#ifndef SHARE_GC_H2_H2STATS_HPP
#define SHARE_GC_H2_H2STATS_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

class outputStream;

// The numbers that H2 counts, and the two ways to read them: as JSON or text for jcmd, and as
// an array of longs for org.ztera.H2. Written at a safepoint.
class H2Stats : AllStatic {
  static size_t _moved_objects;
  static size_t _moved_bytes;
  static size_t _moves;
  static double _last_move_seconds;

  static void print_overhead_json(outputStream* st);
  static void print_labels_json(outputStream* st);
  static void print_engine_json(outputStream* st);

 public:
  // The order is the contract with org.ztera.H2.stats().
  enum Index {
    CapacityBytes, UsedBytes, RegionBytes, RegionsTotal, RegionsUsed, RegionsFreed,
    MovedObjects, MovedBytes, Tags, ResidentBytes, StagedBytes, OrigDataSize,
    ComprDataSize, MemUsedTotal, SamePages, HugePages, FaultCount,
    SsdDataSize, SsdUsed, SsdReads, SsdWrites, DueBytes,
    Count
  };

  static void record_move(size_t objects, size_t bytes, double seconds);
  static size_t moved_objects() { return _moved_objects; }
  static size_t moved_bytes()   { return _moved_bytes; }
  // Full GCs that moved something.
  static size_t moves()         { return _moves; }

  // All zero when H2 is off.
  static void read(jlong values[Count]);
  // One line per fact, for GC.heap_info and hs_err; reads no page of H2.
  static void print_on(outputStream* st);
  // Without the labels it takes no longer the more H2 holds; each region by itself too, if `each`.
  static void print_json(outputStream* st, bool labels, bool each);
  static void print_text(outputStream* st, bool labels, bool each);
};

#endif // SHARE_GC_H2_H2STATS_HPP
