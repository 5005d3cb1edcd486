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

#ifndef SHARE_GC_H2_H2THREAD_HPP
#define SHARE_GC_H2_H2THREAD_HPP

#include "memory/allStatic.hpp"
#include "runtime/javaThread.hpp"

// Threads of H2's own that live as long as the VM. Each is a Java thread that is in the VM: no safepoint begins unless it
// blocks, and it may ask for a GC.
class H2Thread : AllStatic {
 public:
  // Exits the VM if the thread cannot be had.
  static void start(const char* name, ThreadFunction run);
};

#endif // SHARE_GC_H2_H2THREAD_HPP
