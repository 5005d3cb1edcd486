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
#include "runtime/handles.hpp"
#include "utilities/globalDefinitions.hpp"

// What JNI's Get...Critical returns of an array in H2: a copy, where system calls
// that native code might give the array to would be refused (H2FaultMode=sigbus).
// A large array is not copied, as who goes through it in many small steps would
// have all of it copied at each: from the first one on, system calls work.
class H2Critical : AllStatic {
  static const size_t MaxCopied = 64 * K;

  static size_t data_bytes(typeArrayOop array);

 public:
  // May safepoint.
  static bool is_copied(typeArrayHandle array);
  // Null when there is no memory for it.
  static void* copy(typeArrayOop array);
  // False when the address is not that of a copy. The mode is that of JNI's
  // ReleasePrimitiveArrayCritical.
  static bool release(typeArrayOop array, void* address, jint mode);
};

#endif // SHARE_GC_H2_H2CRITICAL_HPP
