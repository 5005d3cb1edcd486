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

#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Patcher.hpp"
#include "oops/compressedOops.inline.hpp"
#include "runtime/globals.hpp"
#include "utilities/align.hpp"
#include "utilities/checkedCast.hpp"

// The faulting thread brings in what is not in memory.
template <typename T>
void H2Patcher::write(char* place, T from, T to) {
  T* const p = (T*)place;
  if (*p == from) {
    *p = to;
  }
}

void H2Patcher::add(char* place, uint32_t from, uint32_t to) {
  const size_t offset = pointer_delta(place, H2Heap::start(), 1);
  const size_t unit = align_down(offset, H2Heap::backend()->unit_bytes());
  if (unit != _unit) {
    flush();
    _unit = unit;
  }
  _patches.append(H2Patch{checked_cast<uint32_t>(offset - unit), from, to});
}

void H2Patcher::change(char* place, oop from, oop to) {
  if (UseCompressedOops) {
    add(place, CompressedOops::narrow_oop_value(from), CompressedOops::narrow_oop_value(to));
  } else {
    // A patch has half of it.
    write(place, cast_from_oop<uintptr_t>(from), cast_from_oop<uintptr_t>(to));
  }
}

void H2Patcher::flush() {
  if (_patches.is_empty()) {
    return;
  }
  if (H2Heap::backend()->patch(_unit, _patches.adr_at(0), _patches.length())) {
    _patched += _patches.length();
  } else {
    for (const H2Patch& patch : _patches) {
      write((char*)H2Heap::start() + _unit + patch._offset, patch._from, patch._to);
    }
  }
  _patches.clear();
}
