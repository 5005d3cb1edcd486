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

#ifndef SHARE_GC_H2_H2BACKEND_HPP
#define SHARE_GC_H2_H2BACKEND_HPP

#include "gc/h2/h2Limits.hpp"
#include "memory/allocation.hpp"
#include "utilities/debug.hpp"
#include "utilities/globalDefinitions.hpp"

#include <errno.h>

class outputStream;

// The engine's knowledge about its memory, in bytes unless the name says
// otherwise, under zram's names where zram has one.
#define H2_ENGINE_STATS_DO(f) \
  f(orig_data_size)           \
  f(compr_data_size)          \
  f(mem_used_total)           \
  f(mem_limit)                \
  f(mem_used_max)             \
  f(same_pages)               \
  f(huge_pages)               \
  f(bd_count)                 \
  f(bd_reads)                 \
  f(bd_writes)                \
  f(resident_bytes)           \
  f(resident_limit)           \
  f(staged_bytes)             \
  f(fault_count)              \
  f(wp_fault_count)           \
  f(units_stored)             \
  f(units_loaded)             \
  f(evicted_clean)            \
  f(evicted_dirty)            \
  f(discarded_units)          \
  f(over_limit_bytes)         \
  f(compress_ns)              \
  f(decompress_ns)            \
  f(bd_read_bytes)            \
  f(bd_write_bytes)           \
  f(bd_errors)                \
  f(bd_used)                  \
  f(bd_limit)                 \
  f(demoted_units)            \
  f(promoted_units)           \
  f(read_ahead_units)         \
  f(bd_data_size)             \
  f(bd_wait_ns)               \
  f(writeback_limit)          \
  f(writes_per_day)           \
  f(recompressed_units)       \
  f(pages_compacted)          \
  f(compacted_units)          \
  f(staging_bytes)            \
  f(bd_moved)                 \
  f(recompress_tried_units)   \
  f(held_writes)              \
  f(bd_read_ns)               \
  f(pinned_bytes)             \
  f(split_units)              \
  f(offloaded_units)          \
  f(offload_missed_units)     \
  f(offload_wrong_units)      \
  f(store_table_bytes)

struct H2EngineStats {
#define H2_DECLARE_STAT(name) uint64_t name;
  H2_ENGINE_STATS_DO(H2_DECLARE_STAT)
#undef H2_DECLARE_STAT
};

// Where pages of H2 are; bytes, uncompressed.
struct H2Census {
  size_t _resident;
  size_t _compressed;
  size_t _idle;       // of the compressed ones, see H2IdleEpochs
  size_t _ssd;
  size_t _written;    // of the resident ones: to evict them means to compress them again
  size_t _rewritten;  // compressed again since they moved here, as they had been written to; each as often as it was
};

// A change of four bytes of a unit, if they are what the caller takes them for.
struct H2Patch {
  uint32_t _offset;   // from the start of the unit
  uint32_t _from;
  uint32_t _to;
};

// The backing below the address range of H2. Offsets and lengths are in bytes from
// the start of H2 and, but for pins, multiples of unit_bytes(). All members may be called by
// several GC workers at once.
class H2Backend : public CHeapObj<mtGC> {
 public:
  virtual const char* name() const = 0;
  virtual size_t unit_bytes() const = 0;

  // Memory in which the new contents of H2 from offset on can be assembled. The
  // caller owns it until submit. May be the range itself.
  virtual char* acquire(size_t offset, size_t* capacity) = 0;
  // Makes the buffer's first bytes the contents of [offset, offset + bytes).
  virtual void submit(char* buffer, size_t offset, size_t bytes) = 0;

  // Whether threads that fault serve themselves, by serve_fault.
  virtual bool serves_callers() const { return false; }
  // Serves a fault of the calling thread. False when there is none to be served.
  virtual bool serve_fault(void* address, bool write) { return false; }
  // Has others serve from now on; at a safepoint. False when that is not possible.
  virtual bool use_handlers() { return false; }

  // Has system calls work on [offset, offset + bytes), any bytes, until unpin(offset), where
  // threads serve themselves. False when it is better to use handlers, as too much is pinned.
  virtual bool pin(size_t offset, size_t bytes) { return true; }
  // False when nothing is pinned there.
  virtual bool unpin(size_t offset) { return false; }
  virtual void unpin_all() {}

  // Corrects the unit at offset where it is not in memory, and reads nothing for that. False: write to its addresses.
  virtual bool patch(size_t offset, const H2Patch* patches, size_t count) { return false; }
  virtual void discard(size_t offset, size_t bytes) = 0;
  // Moves what is compressed of [offset, offset + bytes) to SSD, or only what of
  // it is idle; adds to *moved how many bytes that was, and returns 0 or an errno
  // value.
  virtual int write_back(size_t offset, size_t bytes, bool idle_only, size_t* moved) { return EINVAL; }
  // Adds where the pages of [offset, offset + bytes) are. False where there is no engine.
  virtual bool census(size_t offset, size_t bytes, H2Census* sum) const { return false; }
  // How many more bytes can be submitted if a thousand of them take so many bytes of
  // DRAM, or less.
  virtual size_t capacity(uint cost) const = 0;
  // These whole units would take so many bytes of DRAM, compressed where the engine does that.
  virtual size_t sample(const char* data, size_t bytes) const { return bytes; }
  // Compresses so many bytes of the VM's own, 64 KiB at most, and returns how many of `room` that takes; 0 if that is too
  // little.
  virtual size_t pack(const void* from, size_t bytes, void* to, size_t room) const { return 0; }
  // The other way round.
  virtual void unpack(const void* from, size_t packed, void* to, size_t bytes) const { ShouldNotReachHere(); }
  // One GC cycle has passed.
  virtual void epoch() {}
  // Notes what was decided below since the last call.
  virtual void note_decisions() {}
  // H2 may take so much DRAM from now on, if H2Limits::shares_budget().
  virtual void set_dram_limit(size_t bytes) {}
  // Makes room for what the calling thread is about to touch beside H2. False if there is none.
  virtual bool make_room(size_t bytes) { return true; }
  // The caller has freed so much of it.
  virtual void end_room(size_t bytes) {}
  // A child process is about to start, and may need much memory at once.
  virtual void expect_child() {}
  // False where there is no engine.
  virtual bool stats(H2EngineStats* out) const { return false; }
  // How long faults took by tier, as a member of a JSON object with the comma behind it. Nothing where there is no engine.
  virtual void print_faults_json(outputStream* st) const {}
  virtual void print_on(outputStream* st) const {}
  // The contents that could not be had last, and why: a C string of at most cap bytes. Neither waits nor allocates.
  virtual void last_loss(char* text, size_t cap) const = 0;
};

#endif // SHARE_GC_H2_H2BACKEND_HPP
