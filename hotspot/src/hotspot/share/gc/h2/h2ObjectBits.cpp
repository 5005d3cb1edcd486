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

#include "gc/h2/h2ObjectBits.inline.hpp"
#include "memory/memoryReserver.hpp"
#include "nmt/memTracker.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"

#include <string.h>
#include <sys/mman.h>

bool H2ObjectBits::initialize(MemRegion covered) {
  if (_bits.size() > 0) {
    return true;
  }
  _covered = covered;
  const size_t words = covered.word_size() >> (LogMinObjAlignment + LogBitsPerWord);
  const size_t bytes = align_up(words << LogHeapWordSize, os::vm_page_size());
  _space = MemoryReserver::reserve(bytes, mtH2Tables);
  if (!_space.is_reserved()) {
    return false;
  }
  if (!os::commit_memory(_space.base(), bytes, !ExecMem)) {
    MemoryReserver::release(_space);
    return false;
  }
  _bits = BitMapView((BitMap::bm_word_t*)_space.base(), words << LogBitsPerWord);
  return true;
}

// Anonymous memory that is given back reads as zero when it is touched again. Memory that
// the program has locked (mlockall) cannot be given back.
void H2ObjectBits::clear_all() {
  if (::madvise(_space.base(), _space.size(), MADV_DONTNEED) != 0) {
    memset(_space.base(), 0, _space.size());
  }
}
