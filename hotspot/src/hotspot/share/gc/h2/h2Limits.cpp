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


#include "gc/h2/h2Limits.hpp"
#include "gc/shared/gc_globals.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"

#include <unistd.h>

static const size_t MaxStaging = 64 * M;

size_t H2Limits::memory_limit() {
  const size_t limit = (size_t)os::physical_memory();
  return H2MemoryLimit == 0 ? limit : MIN2((size_t)H2MemoryLimit, limit);
}

size_t H2Limits::machine_memory() {
  return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

size_t H2Limits::most_memory() {
  const size_t most = MAX2(machine_memory(), memory_limit());
  return H2MemoryLimit == 0 ? most : MIN2((size_t)H2MemoryLimit, most);
}

bool H2Limits::is_limit_our_own() {
  return memory_limit() < machine_memory();
}

size_t H2Limits::staging_bytes() {
  // With pages that are few by choice, buffers are few as well.
  const size_t most = H2ResidentSize == 0 ? MaxStaging : H2ResidentSize / 4;
  return clamp(align_down(MIN2(most, memory_limit() / 32), M), 4 * M, MaxStaging);
}

bool H2Limits::shares_budget() {
  return H2Size > 0 && strcmp(H2Backing, "tier") == 0;
}

size_t H2Limits::least_resident_bytes() {
  const size_t least = MAX2(memory_limit() / 32, 2 * MinResident);
  return H2ResidentSize == 0 ? least : MIN2(least, (size_t)H2ResidentSize);
}

size_t H2Limits::least_bytes() {
  return least_resident_bytes() + clamp(memory_limit() / 16, MinPool, 4 * MinPool);
}
