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
#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/h2/h2MaxHeap.hpp"
#include "gc/h2/h2StartLog.hpp"
#include "gc/shared/gcArguments.hpp"
#include "gc/shared/gc_globals.hpp"
#include "logging/log.hpp"
#include "oops/compressedOops.hpp"
#include "runtime/arguments.hpp"
#include "runtime/flags/jvmFlag.hpp"
#include "runtime/globals_extension.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"
#include "utilities/ostream.hpp"

bool H2StartLog::_wide_oops_asked_for = false;

void H2StartLog::prepare() {
  _wide_oops_asked_for = !FLAG_IS_DEFAULT(UseCompressedOops) && !FLAG_IS_ERGO(UseCompressedOops) && !UseCompressedOops;
}

static bool is_file() {
  return strcmp(H2Backing, "file") == 0;
}

// The VM itself, and buffers of objects on their way to H2.
static size_t beside_heaps() {
  return H2Budget::beside() + (H2Limits::shares_budget() ? H2Limits::staging_bytes() : 0);
}

// The DRAM of H2 beside so much of H1.
static size_t h2_beside(size_t h1) {
  const size_t limit = H2Limits::memory_limit();
  return MAX2(limit - MIN2(limit, h1 + beside_heaps()), H2Limits::least_bytes());
}

void H2StartLog::print_memory_limit() {
  const size_t limit = H2Limits::memory_limit();
  const size_t machine = H2Limits::machine_memory();
  if (limit < (size_t)os::physical_memory()) {
    log_info(gc, h2)("Memory limit: %zuM (H2MemoryLimit), of the machine's %zuM", limit / M, machine / M);
  } else if (limit < machine) {
    log_info(gc, h2)("Memory limit: %zuM (the container's), of the machine's %zuM", limit / M, machine / M);
  } else {
    log_info(gc, h2)("Memory limit: %zuM (the machine's)", limit / M);
  }
}

void H2StartLog::print_h1() {
  log_info(gc, h2)("H1: at most %zuM (%s), %zuM at first, at " PTR_FORMAT, MaxHeapSize / M,
                   H2MaxHeap::is_cut() ? "what the limit holds" : H2MaxHeap::chosen_by(), InitialHeapSize / M, p2i(H2Heap::h1().start()));
}

void H2StartLog::print_h2_memory() {
  if (!H2Limits::shares_budget()) {
    log_info(gc, h2)("H2 memory: what the kernel lends to the cache of files");
    return;
  }
  size_t most = h2_beside(0);
  if (H2ResidentSize > 0 && H2PoolSize > 0) {
    most = MIN2(most, H2ResidentSize + H2PoolSize);
  }
  log_info(gc, h2)("H2 memory: %zuM while H1 is full, up to %zuM while H1 is empty; %zuM beside both for the VM and its buffers",
                   MIN2(most, h2_beside(MaxHeapSize)) / M, most / M, beside_heaps() / M);
}

void H2StartLog::print_tiers() {
  if (is_file()) {
    log_info(gc, h2)("Tiers: one file of %zuM in H2Path=%s, mapped", H2Size / M, H2Path);
    return;
  }
  stringStream ssd;
  if (H2Path != nullptr) {
    ssd.print("SSD, at most %zuM in H2Path=%s", H2FileSize / M, H2Path);
  } else {
    ssd.print("no SSD (H2Path)");
  }
  const bool recompresses = H2IdleEpochs > 0 && strcmp(H2RecompressCodec, "none") != 0;
  log_info(gc, h2)("Tiers: DRAM; compressed DRAM, %s%s%s, units of %zuK; %s", H2Codec,
                   recompresses ? ", then " : "", recompresses ? H2RecompressCodec : "", H2UnitSize / K, ssd.base());
}

void H2StartLog::print_oops() {
  if (UseCompressedOops) {
    log_info(gc, h2)("Oops: compressed to 4 bytes (%s), H2 and H1 in one range of at most %zuM",
                     CompressedOops::mode_to_string(CompressedOops::mode()), (size_t)OopEncodingHeapMax / M);
  } else {
    log_info(gc, h2)("Oops: 8 bytes, not compressed");
  }
}

void H2StartLog::warn_of_memory_limit() {
  const size_t limit = H2Limits::memory_limit();
  if (H2MemoryLimit > limit) {
    log_warning(gc, h2)("H2MemoryLimit=%zuM is more than the %zuM that the %s has; lower it, or raise what the process may use",
                        H2MemoryLimit / M, limit / M, H2Limits::is_limit_our_own() ? "container" : "machine");
  }
}

void H2StartLog::warn_of_max_heap() {
  if (H2MaxHeap::is_cut()) {
    H2MaxHeap::warn();
    return;
  }
  const size_t limit = H2Limits::memory_limit();
  const size_t beside = beside_heaps() + (H2Limits::shares_budget() ? H2Limits::least_bytes() : 0);
  if (MaxHeapSize + beside <= limit) {
    return;
  }
  stringStream remedy;
  if (beside + MinHeapSize < limit) {
    remedy.print(H2MaxHeap::is_given() ? "lower Xmx to %zuM" : "give -Xmx%zum", (limit - beside) / M);
  } else {
    remedy.print("raise the limit to %zuM", (MaxHeapSize + beside) / M);
  }
  log_warning(gc, h2)("The ordinary heap may grow to %zuM (%s), and %zuM are needed beside it, more than the memory limit of %zuM; %s",
                      MaxHeapSize / M, H2MaxHeap::chosen_by(), beside / M, limit / M, remedy.base());
}

void H2StartLog::warn_of_h2_maxima() {
  const size_t limit = H2Limits::memory_limit();
  if (!H2Limits::shares_budget() || H2ResidentSize + H2PoolSize <= limit) {
    return;
  }
  stringStream given;
  if (H2ResidentSize > 0) {
    given.print("H2ResidentSize=%zuM", H2ResidentSize / M);
  }
  if (H2PoolSize > 0) {
    given.print("%sH2PoolSize=%zuM", H2ResidentSize > 0 ? " and " : "", H2PoolSize / M);
  }
  log_warning(gc, h2)("%s would give H2 more than the memory limit of %zuM, within which it is kept; lower or drop them",
                      given.base(), limit / M);
}

// Compressed oops can address so much in all: Arguments::max_heap_for_compressed_oops(),
// without H2.
static size_t addressable_bytes() {
  return (size_t)OopEncodingHeapMax - Arguments::conservative_max_heap_alignment();
}

// The largest H2Size beside so much of H1; 0 if there is none.
static size_t addressable_h2(size_t h1) {
  const size_t h2 = addressable_bytes() - MIN2(addressable_bytes(), h1);
  return H2Addresses::max_h2(h2);
}

// The VM keeps the lowest addresses free when it chooses MaxHeapSize itself.
static size_t chosen_h1_bytes(size_t h1) {
  return h1 + (H2MaxHeap::is_given() ? 0 : HeapBaseMinAddress);
}

void H2StartLog::warn_of_wide_oops() {
  if (UseCompressedOops || _wide_oops_asked_for || MaxHeapSize > addressable_bytes()) {
    return;
  }
  const size_t largest = addressable_h2(chosen_h1_bytes(MaxHeapSize));
  stringStream remedy;
  if (largest > 0) {
    remedy.print("lower H2Size to %zuM", largest / M);
  } else {
    remedy.print(H2MaxHeap::is_given() ? "lower H2Size and Xmx" : "lower H2Size, and give a small -Xmx");
  }
  log_warning(gc, h2)("H2Size=%zuM beside a heap of %zuM (%s) is more than compressed oops can address, so references take 8 bytes; "
                      "%s to keep compressed oops, or accept that with -XX:-UseCompressedOops",
                      H2Size / M, MaxHeapSize / M, H2MaxHeap::chosen_by(), remedy.base());
}

// Where nobody chose the maximum of the ordinary heap, the VM takes a share of the
// memory, and cuts it to the addresses that H2 leaves.
void H2StartLog::warn_of_capped_heap() {
  if (!UseCompressedOops || H2MaxHeap::is_given() || !FLAG_IS_DEFAULT(MaxRAMPercentage)) {
    return;
  }
  const size_t share = (size_t)((double)os::physical_memory() * MaxRAMPercentage / 100);
  const size_t uncut = MIN2(share, addressable_bytes() - HeapBaseMinAddress);
  const size_t cut = Arguments::max_heap_for_compressed_oops();
  if (MaxHeapSize >= uncut || MaxHeapSize + HeapBaseMinAddress + HeapAlignment < cut) {
    return;
  }
  const size_t largest = addressable_h2(chosen_h1_bytes(uncut));
  log_warning(gc, h2)("H2Size=%zuM leaves %zuM of what compressed oops can address to the ordinary heap, which would have %zuM; "
                      "lower H2Size to %zuM, choose Xmx, or accept references of 8 bytes with -XX:-UseCompressedOops",
                      H2Size / M, MaxHeapSize / M, uncut / M, largest / M);
}

static bool is_of_h2(const JVMFlag* flag) { return strncmp(flag->name(), "H2", 2) == 0; }

// A part of H2 that is switched off has no effect, as asked.
static bool is_switched_off(const JVMFlag* flag) { return flag->is_bool() && !flag->get_bool(); }

void H2StartLog::warn_of_unused_flags() {
  stringStream given;
  for (const JVMFlag* flag = JVMFlag::flags; flag->name() != nullptr; flag++) {
    if (is_of_h2(flag) && !flag->is_default() && !flag->is_ergonomic() && !is_switched_off(flag)) {
      given.print("%s%s", given.size() == 0 ? "" : ", ", flag->name());
    }
  }
  if (given.size() > 0) {
    log_warning(gc, h2)("Without H2Size there is no second heap, and no effect of %s; give H2Size=<capacity> too", given.base());
  }
}

void H2StartLog::print() {
  print_memory_limit();
  print_h1();
  print_h2_memory();
  print_tiers();
  print_oops();
  warn_of_memory_limit();
  warn_of_max_heap();
  warn_of_h2_maxima();
  warn_of_wide_oops();
  warn_of_capped_heap();
}
