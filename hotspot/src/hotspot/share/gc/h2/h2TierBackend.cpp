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
#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2Faults.hpp"
#include "gc/h2/h2FileBackend.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/h2/h2TierBackend.hpp"
#include "gc/h2/ztera.h"
#include "gc/shared/gc_globals.hpp"
#include "logging/log.hpp"
#include "memory/resourceArea.hpp"
#include "runtime/arguments.hpp"
#include "runtime/java.hpp"
#include "runtime/os.hpp"
#include "utilities/formatBuffer.hpp"
#include "utilities/ostream.hpp"

#include <errno.h>

// The functions of libztera.so that the VM uses.
#define ZTERA_FUNCTIONS_DO(f) \
  f(zt_range_open)            \
  f(zt_stage_acquire)         \
  f(zt_stage_submit)          \
  f(zt_range_fault)           \
  f(zt_range_use_handlers)    \
  f(zt_range_pin)             \
  f(zt_range_unpin)           \
  f(zt_range_unpin_all)       \
  f(zt_range_patch)           \
  f(zt_range_discard)         \
  f(zt_range_writeback)       \
  f(zt_range_capacity)        \
  f(zt_range_sample)          \
  f(zt_range_census)          \
  f(zt_range_epoch)           \
  f(zt_lz4_compress)          \
  f(zt_lz4_decompress)        \
  f(zt_range_set_dram_max)    \
  f(zt_range_make_room)       \
  f(zt_range_end_room)        \
  f(zt_range_expect)          \
  f(zt_range_next_decision)   \
  f(zt_range_last_loss)       \
  f(zt_range_fault_times)     \
  f(zt_range_stats)

#define ZTERA_DECLARE(name) static decltype(&::name) lib_##name;
ZTERA_FUNCTIONS_DO(ZTERA_DECLARE)
#undef ZTERA_DECLARE

static void load_library() {
  char path[JVM_MAXPATHLEN];
  char error[1024];
  jio_snprintf(path, sizeof(path), "%s/lib/libztera.so", Arguments::get_java_home());
  void* const handle = os::dll_load(path, error, sizeof(error));
  if (handle == nullptr) {
    vm_exit_during_initialization(err_msg("H2Backing=tier needs %s: %s. Install it, or use -XX:H2Backing=file", path, error));
  }
#define ZTERA_LOOKUP(name)                                                                      \
  lib_##name = CAST_TO_FN_PTR(decltype(lib_##name), os::dll_lookup(handle, #name));             \
  if (lib_##name == nullptr) {                                                                  \
    vm_exit_during_initialization(err_msg("%s lacks " #name ": it is of another version", path)); \
  }
  ZTERA_FUNCTIONS_DO(ZTERA_LOOKUP)
#undef ZTERA_LOOKUP
}

// H2Arguments has refused other names.
static uint32_t codec_by_name(const char* name) {
  return strcmp(name, "zstd") == 0 ? ZT_CODEC_ZSTD : strcmp(name, "deflate") == 0 ? ZT_CODEC_DEFLATE : ZT_CODEC_LZ4;
}

// The pool reserves addresses for the limit that the process has, or may get later. Twice of H2 is room for the worst
// fragmentation that is at all likely. Where addresses are limited, threads, classes and compiled code have to get most of
// what is left.
static size_t pool_limit(size_t memory) {
  const size_t wanted = H2PoolSize == 0 ? memory : MIN2((size_t)H2PoolSize, memory);
  const size_t useful = MIN2(wanted, 2 * (size_t)H2Size + 256 * M);
  return MIN2(useful, MAX2(H2Addresses::left() / 4, 8 * M));
}

// A container that is given the device needs no other seccomp profile. Without H2FaultMode=handler, the profile alone
// decides.
static const char* remedy_for_forbidden() {
  return strcmp(H2FaultMode, "handler") == 0 ?
    "H2FaultMode=handler needs userfaultfd for system calls, which is forbidden here; drop H2FaultMode, give access to /dev/userfaultfd, "
    "set vm.unprivileged_userfaultfd=1 or grant CAP_SYS_PTRACE" :
    "userfaultfd is forbidden here; give access to /dev/userfaultfd (containers: --device /dev/userfaultfd), "
    "set vm.unprivileged_userfaultfd=1 or grant CAP_SYS_PTRACE";
}

static void fail_to_open(int error) {
  if (error == ENOMEM && H2Addresses::left() != SIZE_MAX) {
    vm_exit_during_initialization(err_msg("H2Size=%zuM cannot start: it takes addresses, of which %s leaves %zuM; raise that limit, or lower H2Size",
                                          H2Size / M, H2Addresses::limit(), H2Addresses::left() / M));
  }
  const char* const remedy =
    error == EPERM  ? remedy_for_forbidden() :
    error == ENOSYS ? "the kernel lacks userfaultfd with write protection (Linux 5.7 or later has it)" :
    error == EBUSY  ? "the device in H2Path is mounted, or somebody else's; name another one" :
    error == EEXIST ? "the device in H2Path holds data; name another one, or erase what says so with 'wipefs --all'" :
    error == ENOSPC ? "the file system in H2Path is full; free space there, or name another directory" :
    error == ENOMEM ? "memory for its tables cannot be had; lower H2Size" :
    error == EINVAL && H2Accelerator != nullptr ?
                      "H2Accelerator names no device; use qatzip, nvcomp or model" :
    H2Path != nullptr && error != EINVAL ?
                      "if no file can be made in H2Path, name another directory; 'ztera doctor' tells what else may be missing" :
                      "run 'ztera doctor' to see what is missing";
  // It may be longer than an err_msg.
  stringStream message;
  message.print("H2Backing=tier with H2Size=%zuM cannot start (%s): %s; or use -XX:H2Backing=file with -XX:H2Path=<directory>",
                H2Size / M, os::strerror(error), remedy);
  vm_exit_during_initialization(message.base());
}

// Whether threads that fault on H2 serve themselves.
static bool callers_serve_faults() {
  return strcmp(H2FaultMode, "handler") != 0 && H2Faults::can_serve_callers();
}

// For developers, who measure what it is to wait for staging buffers, or record changes of pages for 'ztera sim'. The
// library itself reads no environment.
static void add_measurements(zt_config* config) {
  config->staging_strict = ::getenv("ZTERA_STRICT_STAGING") != nullptr;
  config->trace = ::getenv("ZTERA_TRACE");
}

H2Backend* H2TierBackend::open(char* base, size_t bytes) {
  load_library();
  zt_config config = {};
  config.size = sizeof(config);
  config.unit_size = (uint32_t)H2UnitSize;
  config.resident_min = H2Limits::least_resident_bytes();
  config.resident_max = H2ResidentSize;
  config.pool_max = pool_limit(H2Limits::memory_limit());
  config.pool_max_later = pool_limit(H2Limits::most_memory());
  config.dram_max = H2Limits::least_bytes();
  if (H2Stress) {
    // Pages that stay uncompressed while there is room would test next to nothing: the pool comes first.
    config.resident_min = 0;
    config.resident_max = H2ResidentSize == 0 ? H2Limits::memory_limit() / 8 : (size_t)H2ResidentSize;
    config.dram_max = 0;
  }
  config.staging_limit = H2Limits::staging_bytes();
  config.codec = codec_by_name(H2Codec);
  config.ssd_directory = H2Path;
  config.ssd_limit = H2FileSize;
  config.ssd_write_rate = H2WriteRate;
  config.ssd_writes_per_day = H2WritesPerDay;
  config.ssd_encrypt = H2Encrypt;
  config.idle_epochs = H2IdleEpochs;
  config.fault_mode = callers_serve_faults() ? ZT_FAULT_SIGBUS : ZT_FAULT_HANDLER;
  // With zstd from the start nothing is left to gain.
  const bool recompress = strcmp(H2RecompressCodec, "none") != 0 && config.codec != ZT_CODEC_ZSTD;
  config.recompress_codec = recompress ? codec_by_name(H2RecompressCodec) : 0;
  config.accelerator = H2Accelerator;
  add_measurements(&config);
  zt_range* range = nullptr;
  const int result = lib_zt_range_open(base, bytes, &config, &range);
  if ((result == -EPERM || result == -ENOSYS) && H2Path != nullptr && H2FileBackend::is_allowed()) {
    log_warning(gc, h2)("No userfaultfd (%s): H2 is a mapped file in H2Path=%s instead of H2Backing=tier, so it is not compressed, "
                        "its bytes are not verified, and a disk that fails ends the VM; 'ztera doctor' tells what to allow",
                        os::strerror(-result), H2Path);
    H2Backing = "file";
    return nullptr;
  }
  if (result != 0) {
    fail_to_open(-result);
  }
  return new H2TierBackend(base, range, H2UnitSize, callers_serve_faults());
}

char* H2TierBackend::acquire(size_t offset, size_t* capacity) {
  void* buffer = nullptr;
  if (lib_zt_stage_acquire(_range, &buffer, capacity) != 0) {
    // No memory for a buffer: the range itself takes the bytes, by faults.
    *capacity = M;
    return _base + offset;
  }
  return (char*)buffer;
}

void H2TierBackend::submit(char* buffer, size_t offset, size_t bytes) {
  if (buffer == _base + offset) {
    return;
  }
  const int result = lib_zt_stage_submit(_range, buffer, offset, bytes);
  guarantee(result == 0, "zt_stage_submit(%zu, %zu): %s", offset, bytes, os::strerror(-result));
}

bool H2TierBackend::serve_fault(void* address, bool write) {
  return lib_zt_range_fault(_range, address, write) == 0;
}

bool H2TierBackend::use_handlers() {
  _serves_callers = lib_zt_range_use_handlers(_range) != 0;
  return !_serves_callers;
}

// Where contents are lost, the access that needs them fails.
bool H2TierBackend::pin(size_t offset, size_t bytes) {
  const int result = lib_zt_range_pin(_range, offset, bytes);
  assert(result != -EINVAL, "zt_range_pin(%zu, %zu)", offset, bytes);
  return result == 0 || result == -EIO;
}

bool H2TierBackend::unpin(size_t offset) {
  return lib_zt_range_unpin(_range, offset) == 0;
}

void H2TierBackend::unpin_all() {
  lib_zt_range_unpin_all(_range);
}

bool H2TierBackend::patch(size_t offset, const H2Patch* patches, size_t count) {
  STATIC_ASSERT(sizeof(H2Patch) == sizeof(zt_patch) && offsetof(H2Patch, _to) == offsetof(zt_patch, to));
  const int result = lib_zt_range_patch(_range, offset, (const zt_patch*)patches, count);
  guarantee(result == 0 || result == -EBUSY, "zt_range_patch(%zu): %s", offset, os::strerror(-result));
  return result == 0;
}

void H2TierBackend::discard(size_t offset, size_t bytes) {
  const int result = lib_zt_range_discard(_range, offset, bytes);
  guarantee(result == 0, "zt_range_discard(%zu, %zu): %s", offset, bytes, os::strerror(-result));
}

int H2TierBackend::write_back(size_t offset, size_t bytes, bool idle_only, size_t* moved) {
  uint64_t done = 0;
  const int result = lib_zt_range_writeback(_range, offset, bytes, idle_only, &done);
  *moved += done;
  return -result;
}

bool H2TierBackend::census(size_t offset, size_t bytes, H2Census* sum) const {
  zt_census census = {};
  if (lib_zt_range_census(_range, offset, bytes, &census) != 0) {
    return false;
  }
  sum->_resident += census.resident_bytes;
  sum->_compressed += census.compressed_bytes;
  sum->_idle += census.idle_bytes;
  sum->_ssd += census.ssd_bytes;
  sum->_written += census.written_bytes;
  sum->_rewritten += census.rewritten_bytes;
  return true;
}

size_t H2TierBackend::capacity(uint cost) const {
  uint64_t bytes = 0;
  return lib_zt_range_capacity(_range, cost, &bytes) == 0 ? bytes : 0;
}

size_t H2TierBackend::sample(const char* data, size_t bytes) const {
  uint64_t stored = 0;
  return lib_zt_range_sample(_range, data, bytes, &stored) == 0 ? stored : bytes;
}

size_t H2TierBackend::pack(const void* from, size_t bytes, void* to, size_t room) const {
  size_t packed = 0;
  return lib_zt_lz4_compress(from, bytes, to, room, &packed) == 0 ? packed : 0;
}

void H2TierBackend::unpack(const void* from, size_t packed, void* to, size_t bytes) const {
  const int result = lib_zt_lz4_decompress(from, packed, to, bytes);
  guarantee(result == 0, "zt_lz4_decompress(%zu, %zu): %s", packed, bytes, os::strerror(-result));
}

void H2TierBackend::epoch() {
  lib_zt_range_epoch(_range);
  note_decisions();
}

void H2TierBackend::note_decisions() {
  char decision[256];
  while (lib_zt_range_next_decision(_range, decision, sizeof(decision)) == 0 && decision[0] != '\0') {
    H2Decisions::note("Memory: %s", decision);
  }
}

void H2TierBackend::set_dram_limit(size_t bytes) {
  lib_zt_range_set_dram_max(_range, bytes);
}

bool H2TierBackend::make_room(size_t bytes) {
  return lib_zt_range_make_room(_range, bytes) != -ENOMEM;
}

void H2TierBackend::end_room(size_t bytes) {
  lib_zt_range_end_room(_range, bytes);
}

void H2TierBackend::expect_child() {
  lib_zt_range_expect(_range);
}

bool H2TierBackend::stats(H2EngineStats* out) const {
  zt_stats stats = {};
  stats.size = sizeof(stats);
  if (lib_zt_range_stats(_range, &stats) != 0) {
    return false;
  }
#define H2_COPY_STAT(name) out->name = stats.name;
  H2_ENGINE_STATS_DO(H2_COPY_STAT)
#undef H2_COPY_STAT
  return true;
}

void H2TierBackend::print_faults_json(outputStream* st) const {
  ResourceMark rm;
  char* const times = NEW_RESOURCE_ARRAY(char, ZT_FAULT_TIMES_LEN);
  if (lib_zt_range_fault_times(_range, times, ZT_FAULT_TIMES_LEN) == 0) {
    st->print_raw("\"faults\":");
    st->print_raw(times);
    st->print_raw(",");
  }
}

void H2TierBackend::last_loss(char* text, size_t cap) const {
  if (lib_zt_range_last_loss(_range, text, cap) != 0) {
    text[0] = '\0';
  }
}

void H2TierBackend::print_on(outputStream* st) const {
  char loss[512];
  last_loss(loss, sizeof(loss));
  if (loss[0] != '\0') {
    st->print_cr("  lost: %s", loss);
  }
  H2EngineStats s;
  if (stats(&s)) {
    st->print_cr("  resident %zuK of %zuK, compressed %zuK to %zuK of %zuK, staged %zuK",
                 (size_t)s.resident_bytes / K, (size_t)s.resident_limit / K, (size_t)(s.orig_data_size - s.bd_data_size) / K,
                 (size_t)s.mem_used_total / K, (size_t)s.mem_limit / K, (size_t)s.staged_bytes / K);
    if (s.bd_limit > 0) {
      st->print_cr("  on SSD %zuK in %zuK of %zuK, read %zuK, written %zuK",
                   (size_t)s.bd_data_size / K, (size_t)s.bd_used / K, (size_t)s.bd_limit / K,
                   (size_t)s.bd_read_bytes / K, (size_t)s.bd_write_bytes / K);
      if (H2WritesPerDay > 0) {
        st->print_cr("  may still be written today %zuK of %zuK", (size_t)s.writeback_limit / K, H2WritesPerDay / K);
      }
    }
  }
}
