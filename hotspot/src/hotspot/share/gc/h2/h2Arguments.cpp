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

#include "cds/cdsConfig.hpp"
#include "gc/h2/h2Addresses.hpp"
#include "gc/h2/h2Arguments.hpp"
#include "gc/h2/h2Collectors.hpp"
#include "gc/h2/h2Faults.hpp"
#include "gc/h2/h2FileBackend.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/h2/h2MaxHeap.hpp"
#include "gc/h2/h2Programs.hpp"
#include "gc/h2/h2StartLog.hpp"
#include "gc/h2/h2UnitRule.hpp"
#include "jvmci/jvmci_globals.hpp"
#include "logging/log.hpp"
#include "runtime/globals_extension.hpp"
#include "runtime/java.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"
#include "utilities/formatBuffer.hpp"
#include "utilities/powerOfTwo.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#ifdef LINUX
#include <sys/vfs.h>
#endif
#include <unistd.h>

static const size_t MaxH2Size = 4 * K * G;  // what forwarding with compact headers can express, halved
static const size_t MinMemory = 64 * M;
static const size_t MinSsd = 16 * M;
static const size_t MinWriteRate = M;

static void refuse(const char* message) {
  vm_exit_during_initialization(message);
}

static bool wants_large_pages() {
  return UseLargePages && !UseTransparentHugePages;
}

// Names the flag or part that may run code that stores null without a barrier (see H2Shapes::need_null_stores); null if nothing does.
static const char* what_hides_stores() {
#if INCLUDE_JVMCI
  if (UseJVMCICompiler || EnableJVMCI) {
    return UseJVMCICompiler ? "UseJVMCICompiler" : "EnableJVMCI";
  }
#endif
#if defined(AMD64) || defined(AARCH64) || defined(ZERO)
  return nullptr;
#else
  return "the interpreter of this platform";
#endif
}

// A heap that H2 does not work with stays, if the user asked for it: then the program says that H2 is missing.
void H2Arguments::choose_size_for_program() {
  const bool is_free = FLAG_IS_DEFAULT(H2Size) && H2Collectors::may_be_chosen() && AllocateHeapAt == nullptr && !wants_large_pages() &&
                       what_hides_stores() == nullptr;
  const size_t wanted = is_free ? H2Programs::wanted_size() : 0;
  if (wanted > 0) {
    FLAG_SET_ERGO(H2Size, wanted);
  }
}

bool H2Arguments::select_collector() {
  choose_size_for_program();
  return H2Size > 0 && H2Collectors::select();
}

void H2Arguments::initialize() {
  if (H2Collectors::refusal() == nullptr) {
    choose_size_for_program();
  }
  if (H2Size == 0) {
    // An explicit 0 switches H2 off, and leaves its other flags in place.
    if (FLAG_IS_DEFAULT(H2Size)) {
      H2StartLog::warn_of_unused_flags();
    }
    return;
  }
  if (CDSConfig::is_dumping_heap()) {
    // Objects that go into the archive have to be in H1, and no program runs.
    log_info(gc, h2)("H2 is off while the VM writes an archive of classes");
    FLAG_SET_ERGO(H2Size, 0);
    return;
  }
  H2StartLog::prepare();
  check_collector();
  check_names();
  check_sizes();
  choose_region_and_unit();
  check_path();
  H2MaxHeap::keep_within_limit();
}

void H2Arguments::check_collector() {
  if (H2Collectors::refusal() != nullptr) {
    refuse(err_msg("H2Size=%zuM %s, or switch H2 off with -XX:H2Size=0", H2Size / M, H2Collectors::refusal()));
  }
  if (AllocateHeapAt != nullptr) {
    refuse(err_msg("H2Size=%zuM and AllocateHeapAt=%s cannot be combined; drop one of them", H2Size / M, AllocateHeapAt));
  }
  if (what_hides_stores() != nullptr) {
    refuse(err_msg("H2Size=%zuM and %s cannot be combined, as stores of null would have no barrier; drop one of them",
                   H2Size / M, what_hides_stores()));
  }
  if (wants_large_pages()) {
    refuse(err_msg("H2Size=%zuM and UseLargePages cannot be combined; use -XX:+UseTransparentHugePages", H2Size / M));
  }
}

static bool is_one_of(const char* value, const char* a, const char* b) {
  return strcmp(value, a) == 0 || strcmp(value, b) == 0;
}

// HotSpot takes an empty string for none, and these have no such value.
static void check_not_empty(const char* flag, const char* value, const char* names) {
  if (value == nullptr) {
    refuse(err_msg("%s= is empty; use %s, or drop it", flag, names));
  }
}

void H2Arguments::check_names() {
  check_not_empty("H2Backing", H2Backing, "tier or file");
  check_not_empty("H2Codec", H2Codec, "lz4, zstd or deflate");
  check_not_empty("H2RecompressCodec", H2RecompressCodec, "zstd, deflate or none");
  check_not_empty("H2FaultMode", H2FaultMode, "auto, handler or sigbus");
  if (!is_one_of(H2Backing, "tier", "file")) {
    refuse(err_msg("H2Backing=%s is not known; use tier or file", H2Backing));
  }
  if (!is_one_of(H2Codec, "lz4", "zstd") && strcmp(H2Codec, "deflate") != 0) {
    refuse(err_msg("H2Codec=%s is not known; use lz4, zstd or deflate", H2Codec));
  }
  const bool recompresses_by_deflate = strcmp(H2RecompressCodec, "deflate") == 0;
  if (!is_one_of(H2RecompressCodec, "zstd", "none") && !recompresses_by_deflate) {
    refuse(err_msg("H2RecompressCodec=%s is not known; use zstd, deflate or none", H2RecompressCodec));
  }
  if (H2Accelerator != nullptr && strcmp(H2Codec, "deflate") != 0 && !recompresses_by_deflate) {
    refuse("H2Accelerator makes deflate; use H2Codec=deflate or H2RecompressCodec=deflate");
  }
  const bool sigbus = strcmp(H2FaultMode, "sigbus") == 0;
  if (!sigbus && !is_one_of(H2FaultMode, "auto", "handler")) {
    refuse(err_msg("H2FaultMode=%s is not known; use auto, handler or sigbus", H2FaultMode));
  }
  if (sigbus && !H2Faults::can_serve_callers()) {
    refuse("H2FaultMode=sigbus works on Linux on x86-64 only; use auto");
  }
}

static void check_power_of_two(const char* flag, size_t value, size_t low, size_t high) {
  if (value != 0 && (!is_power_of_2(value) || value < low || value > high)) {
    refuse(err_msg("%s=%zu must be a power of two from %zuK to %zuK, or 0 to let the VM choose", flag, value, low / K, high / K));
  }
}

static void check_minimum(const char* flag, size_t value, size_t low, const char* zero) {
  if (value != 0 && value < low) {
    refuse(err_msg("%s=%zu is below the minimum of %zuM; raise it, or use 0 %s", flag, value, low / M, zero));
  }
}

void H2Arguments::check_sizes() {
  if (H2Size < H2Addresses::MinH2Size || H2Size > MaxH2Size) {
    refuse(err_msg("H2Size=%zu must be from %zuM to %zuM, or 0 to switch H2 off", H2Size, H2Addresses::MinH2Size / M, MaxH2Size / M));
  }
  const size_t needed = H2Size + MaxHeapSize + H2Addresses::beside();
  if (needed > H2Addresses::left()) {
    refuse(err_msg("H2Size=%zuM needs about %zuM of addresses with the heap and the VM itself, and %s leaves %zuM; "
                   "raise that limit, or lower H2Size", H2Size / M, needed / M, H2Addresses::limit(), H2Addresses::left() / M));
  }
  check_power_of_two("H2UnitSize", H2UnitSize, os::vm_page_size(), 64 * K);
  check_power_of_two("H2RegionSize", H2RegionSize, 256 * K, 256 * M);
  if (H2RegionSize > H2Size / 4) {
    refuse(err_msg("H2RegionSize=%zuK must be at most a quarter of H2Size=%zuM", H2RegionSize / K, H2Size / M));
  }
  if (H2FileSize != 0 && H2FileSize < H2Size && strcmp(H2Backing, "file") == 0) {
    refuse(err_msg("H2FileSize=%zuM is smaller than H2Size=%zuM, all of which is in the file with H2Backing=file; "
                   "raise H2FileSize or lower H2Size", H2FileSize / M, H2Size / M));
  }
  check_minimum("H2MemoryLimit", H2MemoryLimit, MinMemory, "to take the container's or the machine's limit");
  check_minimum("H2ResidentSize", H2ResidentSize, H2Limits::MinResident, "for no maximum of its own");
  check_minimum("H2PoolSize", H2PoolSize, H2Limits::MinPool, "for no maximum of its own");
  check_minimum("H2WriteRate", H2WriteRate, MinWriteRate, "for no limit");
  check_minimum("H2WritesPerDay", H2WritesPerDay, MinWriteRate, "for no limit");
}

void H2Arguments::choose_region_and_unit() {
  if (H2UnitSize == 0) {
    FLAG_SET_ERGO(H2UnitSize, H2UnitRule::usual_bytes(H2Path != nullptr, os::vm_page_size()));
  }
  if (H2RegionSize == 0) {
    // A label has at least one, so there are many; their table is made as they come into use.
    FLAG_SET_ERGO(H2RegionSize, clamp(round_up_power_of_2(H2Size / (256 * K)), 64 * K, 64 * M));
    FLAG_SET_ERGO(H2RegionSize, MIN2((size_t)H2RegionSize, round_down_power_of_2(H2Size / 8)));
  }
}

// The kind of file system that has its files in DRAM, by the kernel's numbers; null for others.
static const char* file_system_in_memory(const char* path) {
#ifdef LINUX
  struct statfs fs;
  if (::statfs(path, &fs) == 0) {
    switch ((uint32_t)fs.f_type) {
      case 0x01021994: return "tmpfs";
      case 0x858458f6: return "ramfs";
      case 0x958458f6: return "hugetlbfs";
    }
  }
#endif
  return nullptr;
}

void H2Arguments::check_path() {
  const bool is_file = strcmp(H2Backing, "file") == 0;
  if (H2Path == nullptr) {
    // HotSpot takes an empty string for none.
    if (!FLAG_IS_DEFAULT(H2Path)) {
      refuse("H2Path= is empty; name a directory on an SSD, or drop H2Path");
    }
    if (is_file) {
      refuse("H2Backing=file needs H2Path: name a directory for the file of H2");
    }
    if (H2FileSize != 0) {
      log_warning(gc, h2)("H2FileSize=%zuM has no effect without H2Path=<directory>", H2FileSize / M);
    }
    if (!H2FileBackend::is_allowed()) {
      log_warning(gc, h2)("H2Encrypt, H2WriteRate and H2WritesPerDay have no effect without H2Path=<directory>");
    }
    return;
  }
  struct stat st;
  if (::stat(H2Path, &st) == 0 && S_ISBLK(st.st_mode) && !is_file) {
    choose_ssd_size_of_device();
    return;
  }
  if (::stat(H2Path, &st) != 0 || !S_ISDIR(st.st_mode)) {
    refuse(err_msg("H2Path=%s is not a directory%s; create it or name another", H2Path, is_file ? "" : ", nor a block device"));
  }
  if (::access(H2Path, W_OK | X_OK) != 0) {
    refuse(err_msg("H2Path=%s cannot be written; change its permissions or name another directory", H2Path));
  }
  struct statvfs fs;
  if (::statvfs(H2Path, &fs) != 0) {
    refuse(err_msg("H2Path=%s: %s; name another directory", H2Path, os::strerror(errno)));
  }
  const char* const memory = file_system_in_memory(H2Path);
  if (memory != nullptr) {
    refuse(err_msg("H2Path=%s is in memory (%s): what H2 writes there takes the DRAM that it is to save; "
                   "name a directory on an SSD, or drop H2Path", H2Path, memory));
  }
  const size_t free_bytes = (size_t)fs.f_bavail * fs.f_frsize;
  if (is_file) {
    check_mapped_file(free_bytes);
  } else {
    choose_ssd_size(free_bytes);
  }
}

void H2Arguments::check_mapped_file(size_t free_bytes) {
  if (!H2FileBackend::is_allowed()) {
    refuse("H2Encrypt, H2WriteRate and H2WritesPerDay are for H2Backing=tier: the kernel writes the mapped file of "
           "H2Backing=file as it likes; drop them, or H2Backing=file");
  }
  if (free_bytes < H2Size) {
    refuse(err_msg("H2Path=%s has %zuM free, too small for H2Size=%zuM; free space there, name another directory, or lower H2Size",
                   H2Path, free_bytes / M, H2Size / M));
  }
}

// The engine takes the device for itself, and says so if somebody else has it.
void H2Arguments::choose_ssd_size_of_device() {
  const int fd = ::open(H2Path, O_RDONLY | O_CLOEXEC);
  const off_t end = fd == -1 ? -1 : ::lseek(fd, 0, SEEK_END);
  if (end <= 0) {
    refuse(err_msg("H2Path=%s cannot be opened: %s; change its permissions or name another device", H2Path, os::strerror(errno)));
  }
  ::close(fd);
  if (H2FileSize == 0) {
    FLAG_SET_ERGO(H2FileSize, align_down((size_t)end, M));
  }
  check_minimum("H2FileSize", H2FileSize, MinSsd, "to let the VM choose");
  if (H2FileSize > (size_t)end) {
    refuse(err_msg("H2Path=%s has %zuM, less than H2FileSize=%zuM; lower H2FileSize", H2Path, (size_t)end / M, H2FileSize / M));
  }
}

void H2Arguments::choose_ssd_size(size_t free_bytes) {
  if (H2FileSize == 0) {
    // All of H2 even if nothing compresses, with what is lost between records, but not the last of the disk.
    const size_t all = align_up(H2Size + H2Size / 4, M);
    FLAG_SET_ERGO(H2FileSize, MAX2(MIN2(all, align_down(free_bytes / 10 * 9, M)), MinSsd));
  }
  check_minimum("H2FileSize", H2FileSize, MinSsd, "to let the VM choose");
  if (H2FileSize > free_bytes) {
    refuse(err_msg("H2Path=%s has %zuM free, less than H2FileSize=%zuM; free space there, name another directory, or lower H2FileSize",
                   H2Path, free_bytes / M, H2FileSize / M));
  }
}
