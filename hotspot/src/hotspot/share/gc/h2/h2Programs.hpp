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

#ifndef SHARE_GC_H2_H2PROGRAMS_HPP
#define SHARE_GC_H2_H2PROGRAMS_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// Programs that ask for H2 by a setting, without a flag (see H2ProgramRule).
class H2Programs : AllStatic {
 public:
  // H2Size where nobody gives one; 0 if the program does not ask for H2.
  static size_t wanted_size();
};

#endif // SHARE_GC_H2_H2PROGRAMS_HPP
