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

#ifndef SHARE_GC_H2_H2FAULTS_HPP
#define SHARE_GC_H2_H2FAULTS_HPP

#include "memory/allocation.hpp"
#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/globalDefinitions.hpp"

// Faults on pages of H2 that are not mapped, or may not be written yet, where
// the thread that faults serves itself (H2FaultMode=sigbus): the kernel sends it
// SIGBUS, and the VM's handler of that signal asks here first.
class H2Faults : AllStatic {
 public:
  // Whether this VM can: the signal must tell reads from writes.
  static bool can_serve_callers();

  // Serves what the signal tells of. False when it is not about H2, or when the
  // page's contents are lost.
  static bool serve(int sig, const void* siginfo, const void* ucontext);
  // Whether a signal that was not served means that objects are lost: nobody may go
  // on as if the access had been made.
  static bool is_lost(int sig, const void* siginfo);
  // Why they are lost, for the report of the error: empty where the signal means something else. Neither waits nor
  // allocates.
  static const char* loss(int sig, const void* siginfo);

  // System calls will be given addresses in H2, where the kernel cannot send the
  // signal and would refuse the call: threads of the engine serve from now on.
  // Called by a Java thread in the VM, then it may safepoint; or by the VM thread
  // at a safepoint.
  static void use_handlers();
  // The same, if native code is to get the address of an array that is in H2.
  static void expose(oop array);
  // The same, if any argument of a call to native code is an array.
  static void expose_any(const BasicType* arguments, int count);
};

// The contents of a byte array, for system calls of the VM itself: a copy, if it is in H2.
class H2BytesOutside : public StackObj {
  const jbyte* _bytes;
  jbyte*       _copy;

  NONCOPYABLE(H2BytesOutside);

 public:
  explicit H2BytesOutside(typeArrayOop array);
  ~H2BytesOutside();
  operator const char*() const { return (const char*)_bytes; }
};

#endif // SHARE_GC_H2_H2FAULTS_HPP
