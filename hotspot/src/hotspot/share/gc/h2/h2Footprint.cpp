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

#include "gc/h2/h2Footprint.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"

#ifdef LINUX
#include "osContainer_linux.hpp"

#include <sys/mman.h>

// The container pays for a mapped page of a file if it was the first to read it. Pages of a JDK are often others'.
static size_t paid_file_bytes(size_t mapped) {
  const jlong paid = OSContainer::is_containerized() ? OSContainer::cache_usage_in_bytes() : -1;
  return paid < 0 ? mapped : MIN2(mapped, (size_t)paid);
}
#endif

// os::rss() would have the kernel walk all page tables, in the pause. The counts that the kernel keeps anyway may be some MiB off.
size_t H2Footprint::counted_bytes() {
#ifdef LINUX
  os::Linux::meminfo_t info;
  if (!os::Linux::query_process_memory_info(&info) || info.vmrss <= 0) {
    return 0;
  }
  const size_t files = MAX2(info.rssfile, (ssize_t)0) * K;
  return (size_t)info.vmrss * K - files + paid_file_bytes(files);
#else
  return os::rss();
#endif
}

size_t H2Footprint::anonymous_bytes() {
#ifdef LINUX
  os::Linux::meminfo_t info;
  return os::Linux::query_process_memory_info(&info) && info.rssanon > 0 ? (size_t)info.rssanon * K : 0;
#else
  return 0;
#endif
}

// Asks the kernel about all of it up to 1 GiB, and about evenly spaced parts of more.
size_t H2Footprint::resident_bytes(MemRegion memory) {
#ifdef LINUX
  static const size_t Stretch = 2 * M;
  static const size_t MostStretches = 512;

  const size_t page = os::vm_page_size();
  const size_t stretches = align_up(memory.byte_size(), Stretch) / Stretch;
  const size_t step = MAX2(align_up(stretches, MostStretches) / MostStretches, (size_t)1);
  size_t looked = 0;
  size_t resident = 0;
  unsigned char pages[Stretch / (4 * K)];
  for (size_t i = 0; i < stretches; i += step) {
    char* const from = (char*)memory.start() + i * Stretch;
    const size_t bytes = MIN2(Stretch, pointer_delta(memory.end(), from, 1));
    if (mincore(from, bytes, pages) != 0) {
      return 0;
    }
    for (size_t j = 0; j < bytes / page; j++) {
      resident += pages[j] & 1;
    }
    looked += bytes / page;
  }
  return looked == 0 ? 0 : (size_t)((double)resident / (double)looked * (double)memory.byte_size());
#else
  return 0;
#endif
}
