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

#ifndef SHARE_GC_H2_H2EXHAUSTION_HPP
#define SHARE_GC_H2_H2EXHAUSTION_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// The memory limit is used up where a full GC leaves the process beyond it, whatever H2 gives back. Then allocations of Java
// threads fail, as where H1 is full, for the kernel would kill the process. A program that goes on after an OutOfMemoryError gets
// another one, until a full GC has found enough dead. All it may allocate after an error is a few small objects, to handle it.
class H2Exhaustion : AllStatic {
  static bool              _exhausted;
  static volatile uint     _errors;     // since
  static volatile intptr_t _to_handle;  // bytes of small objects that are left to handle these

  static bool takes(intptr_t bytes);

 public:
  // At the end of a full GC, when memory was given back.
  static void full_finished(bool is_beyond, size_t limit);
  // Whether an allocation fails unless a full GC frees enough. By the thread that allocates, when no TLAB has room.
  static bool fails(size_t bytes, bool is_tlab);
  // Whether it fails after such a GC, which clears soft references.
  static bool fails_after_full_gc();
};

#endif // SHARE_GC_H2_H2EXHAUSTION_HPP
