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

// JNI's Get...Critical on an array in H2: native code might give it to a system
// call, which would be refused (H2FaultMode=sigbus). So from the first one on
// handlers serve. Only where they cannot be had does native code get a copy: what
// others write to the array meanwhile is lost when that is copied back.
class H2Critical : AllStatic {
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
