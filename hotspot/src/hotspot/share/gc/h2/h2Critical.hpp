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

// JNI's critical sections on arrays and strings in H2. Native code gets the address itself.
// No collection begins meanwhile, so that nothing moves, returns or dies: GCLocker sees to that.
//
// Native code may give the address to the kernel, which cannot serve a fault on H2 the way
// threads do (see H2Faults). So where threads serve their own faults, the array is pinned in the
// engine: its pages stay resident and writable. The engine keeps a pin for the next section,
// until memory is short. Handler threads take over for good where more is in use than may be
// pinned: they bring in what native code touches, and no more.
//
// HotSpot forgives a section that ends with another pointer, another array, or twice. So the
// end of a section looks for a pin, and trusts nothing that it is given.
class H2Critical : AllStatic {
 public:
  // A section on the array begins, by a Java thread in the VM that keeps collections away.
  // May safepoint.
  static void begin(oop array);

  // A section ends that has begun with this array, or with these elements of one.
  static void end(jarray array, const void* elements);
  static void end(const jchar* chars);

  // At a full GC: no section lasts, although some may not have been seen to end.
  static void end_all();
};

#endif // SHARE_GC_H2_H2CRITICAL_HPP
