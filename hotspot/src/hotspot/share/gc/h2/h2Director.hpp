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

#ifndef SHARE_GC_H2_H2DIRECTOR_HPP
#define SHARE_GC_H2_H2DIRECTOR_HPP

#include "gc/h2/h2EarlyGCRule.hpp"
#include "memory/allStatic.hpp"
#include "utilities/exceptions.hpp"
#include "utilities/globalDefinitions.hpp"

class JavaThread;
struct H2EngineStats;

// Has H1 collected fully before it is full, so that its groups move and their memory is
// H2's. There are two reasons.
//
// Without an SSD, compressed objects cannot leave DRAM, and the more H1 holds, the less is
// left for them. Were H1 to grow as far as it may, there might be no room any more for
// what its groups become when they are compressed, although all of it would fit if they
// moved. So a full GC follows the young one in time. The VM thread decides, in a GC. Where H2's
// data do not compress, groups stay in H1: they would take the same DRAM.
//
// With an SSD, a program that allocates little may wait for the SSD for ever, while H1
// holds what it promoted last: no GC comes to move it. So a thread looks each second,
// and collects when that costs less than the waits that it could have saved so far.
//
// The thread also measures the JVM's other memory anew, and divides the limit by that:
// a compiler's arenas come and go between two GCs.
class H2Director : AllStatic {
  static size_t   _old_after_full;    // bytes of the old generation
  static bool     _is_short;
  static bool     _moves_pay;         // at the last young GC: what moves would take less DRAM
  static bool     _is_ssd_bound;
  static uint64_t _read_ns;           // bd_read_ns at the end of the last full GC
  static jlong    _full_ended;
  static jlong    _full_started;      // in os::elapsed_counter()'s units
  static double   _full_seconds;      // of the last full GC
  static uint64_t _full_safepoint;    // of the current or last full GC
  static size_t   _promoted_before_full;

  static size_t promoted_since_full();
  static H2EarlyGCSnapshot snapshot(const H2EngineStats& engine);
  static bool is_short_of_dram(const H2EarlyGCSnapshot& s);
  static bool is_worth_a_full_gc();
  static void run(JavaThread* thread, TRAPS);

 public:
  // Bytes by which the old generation has grown between this full GC and the last one. Where two follow in one pause, as the second
  // one looks through H2, both are one.
  static size_t promoted_before_full() { return _promoted_before_full; }
  // Bytes of DRAM for each byte in H2.
  static double cost(const H2EngineStats& engine);

  // When Java threads can be made: starts the thread.
  static void start();
  // The work that that thread does each second.
  static void look();

  // At the end of a young GC, when memory was shared anew; at the begin and end of a full GC.
  static void young_finished();
  static void full_started();
  // From the end of the last one, or the start of the VM.
  static double seconds_since_full();
  static void full_finished();

  // Whether a full GC has to follow the young one.
  static bool is_short() { return _is_short; }
  // Whether groups have to move in this full GC though H1 has room.
  static bool moves_groups() { return (_is_short && _moves_pay) || _is_ssd_bound; }
};

#endif // SHARE_GC_H2_H2DIRECTOR_HPP
