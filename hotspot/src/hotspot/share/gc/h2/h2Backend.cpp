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

#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2FileBackend.hpp"
#include "gc/h2/h2TierBackend.hpp"
#include "gc/shared/gc_globals.hpp"

H2Backend* H2Backend::open(char* base, size_t bytes) {
  if (strcmp(H2Backing, "tier") == 0) {
    H2Backend* const tier = H2TierBackend::open(base, bytes);
    if (tier != nullptr) {
      return tier;
    }
  }
  return H2FileBackend::open(base, bytes);
}
