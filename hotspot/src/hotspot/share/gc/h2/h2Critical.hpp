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

#ifndef SHARE_GC_H2_H2CRITICAL_HPP
#define SHARE_GC_H2_H2CRITICAL_HPP

#include "jni.h"
#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"

class JavaThread;

// JNI's critical sections on arrays and strings in H2.
//
// Native code may give the address of a critical section to the kernel, which cannot
// serve a fault on H2 the way threads do (see H2Faults). So where threads serve their
// own faults, native code gets a copy in the C heap, as JNI allows: collections need not
// wait for it, and pages of H2 are only written where native code changed something.
//
// A program may have two threads work on different parts of one array. So a copy is
// kept as it was at first, too, and at the end only elements that differ from that are
// written to the array.
//
// Copying a large array each time that native code wants a little of it would take long:
// for these, handler threads take over from the threads that serve themselves.
class H2Critical : AllStatic {
  // Larger than what is mostly compressed or sent in one call.
  static const size_t MaxBytes = 8 * M;

  class Copy;

  static bool has_to_copy(oop array, size_t bytes);
  static void* copy(JavaThread* thread, oop array, size_t bytes, size_t kept_bytes, jboolean* is_copy);

 public:
  // What native code gets of an array that was pinned: its elements as they are, or a
  // copy, and then it is pinned no more. Null if there is no memory for a copy.
  static void* elements(JavaThread* thread, oop array, void* elements, jboolean* is_copy);
  // The same for the value of a string, which nobody may change.
  static jchar* chars(JavaThread* thread, oop value, jchar* chars, jboolean* is_copy);

  // True if the critical section had a copy, so that nothing is pinned for it: writes
  // what changed to the array and frees the copy, as the mode says.
  static bool release(jarray array, void* elements, jint mode);
  static bool release(const jchar* chars);
};

#endif // SHARE_GC_H2_H2CRITICAL_HPP
