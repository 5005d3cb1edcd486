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

#ifndef SHARE_GC_H2_H2IMPORTS_HPP
#define SHARE_GC_H2_H2IMPORTS_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// Functions of the C library that other libraries import, by the tables in which the dynamic linker keeps their
// addresses: they can be replaced there, in libraries that are loaded.
class H2Imports : AllStatic {
 public:
  struct Function {
    const char* _name;
    void*       _ours;
    void*       _real;   // what the linker finds by this name

    // Whether an address that was found by a name is this function.
    bool is(const char* name, const void* found) const {
      return found == _real && found != nullptr && strcmp(name, _name) == 0;
    }
  };

  // Has all libraries but this one call ours in place of the real functions, as many as count.
  static void replace(const Function* functions, size_t count);
  // How many libraries were loaded so far: where it has not changed, nothing is left to be replaced.
  static unsigned long long loaded();
};

#endif // SHARE_GC_H2_H2IMPORTS_HPP
