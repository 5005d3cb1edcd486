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

#ifndef SHARE_GC_H2_H2SIGNALS_HPP
#define SHARE_GC_H2_H2SIGNALS_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

struct sigaction;

// Threads that serve their own faults need SIGBUS (H2Faults). Native code of others installs handlers of that signal for
// its mapped files, or blocks it with all others. With the next fault its handler, or the kernel, would end the process.
//
// So what such code calls comes here first. Its handler gets the signals that are not about H2, as libjsig has it, and
// SIGBUS is never blocked. Code that cannot be seen to call (system calls of its own, a library's initialisation) is
// noticed when its library was loaded, or at the next look: then threads of the engine serve faults from now on.
class H2Signals : AllStatic {
  static bool is_taken();
  static void replace_imports();
  static void use_handlers();

 public:
  // Whether threads serve their own faults now.
  static bool is_needed();

  // When H2 is open, and the VM has installed its handlers.
  static void initialize();
  // The calling thread has loaded a library.
  static void library_loaded();
  // Once a second, by a Java thread in the VM.
  static void look();

  // The address that native code is to get for a function that was found by its name.
  static void* function(const char* name, void* found);
  // The handler that gets a signal that the VM does not know, other than what was installed before the VM.
  static struct sigaction* chained(int sig, struct sigaction* before);
};

#endif // SHARE_GC_H2_H2SIGNALS_HPP
