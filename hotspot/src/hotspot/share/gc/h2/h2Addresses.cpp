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

#include "gc/h2/h2Addresses.hpp"
#include "gc/shared/cardTable.hpp"
#include "gc/shared/gcArguments.hpp"
#include "gc/shared/gc_globals.hpp"
#include "runtime/globals.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"

#include <stdio.h>
#include <sys/resource.h>

// Fields of /proc/self/statm, in pages.
static const int AllPages = 0;
static const int DataPages = 5;

static size_t pages_of(int field) {
  size_t pages[6] = {};
  FILE* const file = os::fopen("/proc/self/statm", "r");
  if (file != nullptr) {
    if (fscanf(file, "%zu %zu %zu %zu %zu %zu", &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5]) != 6) {
      pages[field] = 0;
    }
    fclose(file);
  }
  return pages[field];
}

size_t H2Addresses::left_of(int resource, int field) {
  struct rlimit limit;
  if (::getrlimit((__rlimit_resource_t)resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return SIZE_MAX;
  }
  const size_t used = pages_of(field) * os::vm_page_size();
  return (size_t)limit.rlim_cur - MIN2(used, (size_t)limit.rlim_cur);
}

size_t H2Addresses::left() {
  return MIN2(left_of(RLIMIT_AS, AllPages), left_of(RLIMIT_DATA, DataPages));
}

bool H2Addresses::are_all_limited() {
  return left_of(RLIMIT_AS, AllPages) <= left_of(RLIMIT_DATA, DataPages);
}

const char* H2Addresses::limit() {
  return are_all_limited() ? "ulimit -v" : "ulimit -d";
}

// Classes and compiled code are reserved, which counts as addresses, and not as data.
size_t H2Addresses::beside() {
  return are_all_limited() ? CompressedClassSpaceSize + 768 * M : 256 * M;
}

size_t H2Addresses::reserved_bytes() {
  if (H2Size == 0) {
    return 0;
  }
  // The cards of H2 and of the ordinary heap must not share a page.
  const size_t alignment = MAX3((size_t)HeapAlignment, (size_t)CardTable::ct_max_alignment_constraint(), H2RegionSize);
  return align_up(H2Size, alignment);
}

// Alignments of the heap are not known yet when this is asked.
static size_t addressed_alignment() {
  return MAX2((size_t)H2RegionSize, 64 * M);
}

size_t H2Addresses::max_h1(size_t max_bytes) {
  if (H2Size == 0) {
    return max_bytes;
  }
  const size_t h2 = align_up(H2Size, addressed_alignment());
  return max_bytes > h2 ? max_bytes - h2 : 0;
}

size_t H2Addresses::max_h2(size_t max_bytes) {
  const size_t h2 = align_down(max_bytes, addressed_alignment());
  return h2 >= MinH2Size ? h2 : 0;
}
