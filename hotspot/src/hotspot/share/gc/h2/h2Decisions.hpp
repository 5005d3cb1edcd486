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

#ifndef SHARE_GC_H2_H2DECISIONS_HPP
#define SHARE_GC_H2_H2DECISIONS_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

class outputStream;

// Decisions of the engine's governor, of the budget, and about labels, with their reasons. The log has all of them. The last
// few are kept for people who ask a running VM (GC.h2_info) or read its crash report.
class H2Decisions : AllStatic {
  struct Entry {
    double _seconds;     // since the start of the VM
    char   _reason[256];
  };

  static const uint Kept = 16;

  static Entry _entries[Kept];
  static uint  _count;          // of all decisions so far

  static void remember(const char* text);
  template <typename Function>
  static void each(Function f);

 public:
  // Logs a decision as information, and keeps it. By any thread of the VM.
  static void note(const char* format, ...) ATTRIBUTE_PRINTF(1, 2);
  // The same for what needs the operator's attention.
  static void warn(const char* format, ...) ATTRIBUTE_PRINTF(1, 2);

  // The oldest first, a line each.
  static void print_on(outputStream* st);
  // The same as a JSON array.
  static void print_json(outputStream* st);
};

#endif // SHARE_GC_H2_H2DECISIONS_HPP
