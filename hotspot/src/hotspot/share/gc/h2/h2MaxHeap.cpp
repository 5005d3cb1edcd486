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
#include "gc/h2/h2MaxHeap.hpp"
#include "gc/shared/gc_globals.hpp"
#include "logging/log.hpp"
#include "runtime/globals_extension.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"

size_t      H2MaxHeap::_asked = 0;
const char* H2MaxHeap::_chosen_by = nullptr;

// By the command line, a file or a variable of the environment.
#define H2_IS_GIVEN(name) (FLAG_IS_CMDLINE(name) || (!FLAG_IS_DEFAULT(name) && !FLAG_IS_ERGO(name)))

bool H2MaxHeap::is_given() {
  return H2_IS_GIVEN(MaxHeapSize);
}

const char* H2MaxHeap::given_option() {
  if (is_given()) {
    return "Xmx";
  }
  return H2_IS_GIVEN(MaxRAMPercentage) ? "MaxRAMPercentage" : nullptr;
}

// Memory that a small JVM has beside its heap. H2Budget guesses more, on the safe side; a program
// that needs no more than this shall have the H1 that it asks for.
static size_t least_beside() {
  const size_t limit = H2Limits::memory_limit();
  return MAX2(limit / 10, 64 * M) + H2Limits::least_bytes();
}

// Bitmaps and tables of H1 take a 32nd of it.
size_t H2MaxHeap::largest() {
  const size_t limit = H2Limits::memory_limit();
  const size_t left = limit - MIN2(limit, least_beside());
  return align_down(left - left / 32, M);
}

static bool is_container() {
  return (size_t)os::physical_memory() < H2Limits::machine_memory();
}

void H2MaxHeap::keep_within_limit() {
  static const size_t Least = 16 * M;

  _chosen_by = given_option();
  if (!is_container() || !H2Limits::shares_budget() || largest() < Least) {
    return;
  }
  const size_t most = largest();
  // The VM computes a maximum that nobody gave as a share of the memory.
  const double share = 100.0 * (double)most / (double)os::physical_memory();
  if (FLAG_IS_DEFAULT(MaxHeapSize) && MaxRAMPercentage > share) {
    _asked = (size_t)((double)os::physical_memory() * MaxRAMPercentage / 100.0);
    FLAG_SET_ERGO(MaxRAMPercentage, share);
    FLAG_SET_ERGO(MinRAMPercentage, MIN2(MinRAMPercentage, share));
  }
  if (!FLAG_IS_DEFAULT(MaxHeapSize) && MaxHeapSize > most) {
    _asked = MaxHeapSize;
    FLAG_SET_ERGO(MaxHeapSize, most);
    if (InitialHeapSize > most) {
      FLAG_SET_ERGO(InitialHeapSize, most);
    }
    if (MinHeapSize > most) {
      FLAG_SET_ERGO(MinHeapSize, most);
    }
  }
}

// Nobody has to be warned of a cut to what the VM itself would have chosen.
void H2MaxHeap::warn() {
  if (_chosen_by == nullptr) {
    return;
  }
  log_warning(gc, h2)("The ordinary heap gets at most %zuM, not the %zuM that %s allows: the container's limit of %zuM holds no more "
                      "beside the VM and H2; %s %zuM, or raise the limit",
                      MaxHeapSize / M, _asked / M, _chosen_by, H2Limits::memory_limit() / M,
                      is_given() ? "lower Xmx to" : "give an Xmx of", MaxHeapSize / M);
}
