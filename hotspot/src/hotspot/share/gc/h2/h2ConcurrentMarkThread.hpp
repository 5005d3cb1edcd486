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

#ifndef SHARE_GC_H2_H2CONCURRENTMARKTHREAD_HPP
#define SHARE_GC_H2_H2CONCURRENTMARKTHREAD_HPP

#include "memory/allStatic.hpp"
#include "utilities/exceptions.hpp"

class JavaThread;

// The thread that marks H2 beside the program (see H2ConcurrentMark). It is in the VM all the time, so a safepoint waits until it
// has visited a block.
class H2ConcurrentMarkThread : AllStatic {
  static void run(JavaThread* thread, TRAPS);

 public:
  static void start();
};

#endif // SHARE_GC_H2_H2CONCURRENTMARKTHREAD_HPP
