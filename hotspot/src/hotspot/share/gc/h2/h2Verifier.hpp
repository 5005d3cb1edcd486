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

#ifndef SHARE_GC_H2_H2VERIFIER_HPP
#define SHARE_GC_H2_H2VERIFIER_HPP

#include "memory/allStatic.hpp"

// H2Verify: walks all of H2 after a GC. Every reference points to a valid
// object, every backward reference has its card, every reference into another
// region its dependency. Stops the VM at the first that does not.
class H2Verifier : AllStatic {
 public:
  // At a safepoint, by the VM thread; the workers do it. Nothing unless H2Verify.
  static void verify(const char* when);
  // The same in a look that has marked: all is reached to which a reached object refers.
  static void verify_reached();
};

#endif // SHARE_GC_H2_H2VERIFIER_HPP
