// SPDX-License-Identifier: MIT OR Apache-2.0
// Copyright (c) 2026, the ZTera authors.
//
// The ZTera engine: memory that holds more than is resident.
//
// Functions return 0 or a negative errno value unless said otherwise, never unwind, and may be called
// by any thread at any time unless said otherwise.
//
// Made by cbindgen from ffi/src; the test `header` of that crate checks it, and rewrites it when run
// with ZTERA_BLESS=1.

#ifndef ZTERA_H
#define ZTERA_H

#include <stddef.h>
#include <stdint.h>

// Fastest to decode.
#define ZT_CODEC_LZ4 1

// Denser, several times slower to decode.
#define ZT_CODEC_ZSTD 2

// Denser than lz4, slower than zstd; what compression accelerators speak.
#define ZT_CODEC_DEFLATE 3

// Threads of the range serve faults. Instructions and system calls notice nothing.
#define ZT_FAULT_HANDLER 0

// The thread that faulted gets SIGBUS, and serves itself by zt_range_fault: many times quicker where CPUs are idle.
// System calls fail with EFAULT where what they are given is not in memory.
#define ZT_FAULT_SIGBUS 1

// Bytes that hold the text of `zt_range_fault_times`, whatever the times are.
#define ZT_FAULT_TIMES_LEN 32768

// A managed address range.
typedef struct zt_range zt_range;

// How a range is set up. Fill it with zeros, set `size`, then what is not to be the default.
typedef struct zt_config {
  // sizeof(zt_config) of the caller. Fields that an older caller lacks are taken as 0; those that an
  // older engine lacks must be 0 (else -E2BIG).
  uint32_t size;
  // Bytes compressed, and made resident, as one: a power of two from 4096 to 65536; 0 = 16384,
  // or a page where that is larger.
  uint32_t unit_size;
  // Bytes that uncompressed pages may have in any case: not 0 with dram_max, and not more than that; else 0.
  uint64_t resident_min;
  // Most bytes of uncompressed pages; 0 = no limit of their own.
  uint64_t resident_max;
  // Most bytes of pool memory, whatever dram_max becomes; 0 = no limit, which cannot be with dram_max.
  uint64_t pool_max;
  // Most bytes of uncompressed pages and the pool together, until zt_range_set_dram_max names others. Pages have what the
  // pool leaves, less while the system stalls for want of memory. 0 = no such limit: the others are kept, and nobody
  // divides memory.
  uint64_t dram_max;
  // Most bytes of staging buffers; 0 = 64 MiB. Beyond that they have what `pool_max` leaves and nobody uses yet; exceeded
  // otherwise only if every buffer is in callers' hands.
  uint64_t staging_limit;
  // One of ZT_CODEC_*; 0 = lz4.
  uint32_t codec;
  // zstd, deflate: level, lz4: acceleration; 0 = the codec's default.
  int32_t codec_level;
  // Threads that compress; 0 = one per online CPU.
  uint32_t workers;
  // Threads that serve faults, or with ZT_FAULT_SIGBUS only read ahead; 0 = one per online CPU, at most 4; with an SSD tier 8.
  uint32_t fault_threads;
  // Directory in which the SSD tier makes its file, which has no name there; or a block device that nobody uses,
  // without data that libblkid knows. NULL = no SSD tier. Read by zt_range_open only. A program that may write
  // files of limited size only (RLIMIT_FSIZE) has to ignore SIGXFSZ: its own threads write to the tier, too.
  const char *ssd_directory;
  // Most bytes of it; 0 = nine tenths of what the file system has free, or all of the device.
  uint64_t ssd_limit;
  // Most bytes written to it per second, at least 1 MiB: who writes more waits. 0 = no limit.
  uint64_t ssd_write_rate;
  // Most bytes written to it per day, counted from zt_range_open: then it has no room until the next day.
  // 0 = no limit.
  uint64_t ssd_writes_per_day;
  // Not 0: what is written to it is encrypted, with a key that only this process has.
  uint32_t ssd_encrypt;
  // Epochs (see zt_range_epoch) without a touch after which a compressed unit is idle: where the pool is
  // more than half full, it is then recompressed, and later goes to SSD. 0 = no unit ever is.
  uint32_t idle_epochs;
  // A denser codec for idle units; 0 = they are not recompressed.
  uint32_t recompress_codec;
  // Its level, as codec_level.
  int32_t recompress_level;
  // ZT_FAULT_HANDLER or ZT_FAULT_SIGBUS.
  uint32_t fault_mode;
  // Not 0: staging buffers do without what `pool_max` leaves. For measurements of what it is to wait for them.
  uint32_t staging_strict;
  // A file to be made, with a record of each change of page, which `ztera sim` replays: slow. NULL = none. Read by
  // zt_range_open only.
  const char *trace;
  // With dram_max, most bytes of pool memory once that is raised (zt_range_set_dram_max); 0 = pool_max. It costs addresses,
  // and where the system gives fewer the pool keeps to pool_max.
  uint64_t pool_max_later;
  // A device that compresses in batches, where codec or recompress_codec is ZT_CODEC_DEFLATE: "qatzip", "nvcomp",
  // "nvcomp:LEVEL", "model" or "model:NAME=VALUE,..". NULL = the CPU does all; it also does where the device or its library
  // is missing, which zt_log is told. Read by zt_range_open only.
  const char *accelerator;
} zt_config;

// A change of four bytes of a unit. Values are as they would be read from that address and written to it.
typedef struct zt_patch {
  // The first of them, from the start of the unit: a multiple of 4.
  uint32_t offset;
  // The four bytes as they are. Others stay as they are.
  uint32_t from;
  // The four bytes from now on.
  uint32_t to;
} zt_patch;

// Where the pages of a part of a range are. Bytes, uncompressed.
typedef struct zt_census {
  // Mapped.
  uint64_t resident_bytes;
  // In DRAM, but not mapped: in the pool, staged, or one word repeated.
  uint64_t compressed_bytes;
  // Only on SSD.
  uint64_t ssd_bytes;
  // Of those in the pool, what was not touched for idle_epochs.
  uint64_t idle_bytes;
  // Of those mapped, what was written to since: to evict it means to compress it again.
  uint64_t written_bytes;
  // Compressed again since they were submitted, because they had been written to; each as often as it was.
  uint64_t rewritten_bytes;
} zt_census;

// A snapshot of a range's statistics. Pages are of 4 KiB; times are sums over threads.
typedef struct zt_stats {
  // In: sizeof(zt_stats) of the caller. Out: how many bytes of it were filled in.
  uint32_t size;
  // 0.
  uint32_t reserved;
  // Uncompressed size of all units that the store holds: same-filled ones and those on SSD too, staged ones not.
  uint64_t orig_data_size;
  // Size of the objects that hold them, without the pool's rounding.
  uint64_t compr_data_size;
  // Memory that the pool has taken from the system.
  uint64_t mem_used_total;
  // Most that it may take; 0 = no limit.
  uint64_t mem_limit;
  // Most that it had taken at any time.
  uint64_t mem_used_max;
  // Pages of units that repeat one word and so need no memory.
  uint64_t same_pages;
  // Pages of units that do not compress and are kept as they are.
  uint64_t huge_pages;
  // Units on SSD.
  uint64_t bd_count;
  // Units read from SSD so far.
  uint64_t bd_reads;
  // Units written to SSD so far.
  uint64_t bd_writes;
  // Bytes of units that are mapped.
  uint64_t resident_bytes;
  // Most that there should be; 0 = no limit.
  uint64_t resident_limit;
  // Bytes submitted that workers have not stored yet.
  uint64_t staged_bytes;
  // Faults that made a unit resident.
  uint64_t fault_count;
  // Faults by writes to units that were resident and clean.
  uint64_t wp_fault_count;
  // Units stored so far, each as often as it was.
  uint64_t units_stored;
  // Units whose contents were asked for so far.
  uint64_t units_loaded;
  // Units whose pages were dropped because the store had their contents.
  uint64_t evicted_clean;
  // Units that had to be stored before their pages were dropped.
  uint64_t evicted_dirty;
  // Units that were discarded while they were not empty.
  uint64_t discarded_units;
  // Resident bytes above the limit, there because the pool is full.
  uint64_t over_limit_bytes;
  // Nanoseconds spent compressing, summed over threads.
  uint64_t compress_ns;
  // Nanoseconds spent decompressing, summed over threads.
  uint64_t decompress_ns;
  // Bytes read from SSD so far.
  uint64_t bd_read_bytes;
  // Bytes written to SSD so far.
  uint64_t bd_write_bytes;
  // Reads and writes that failed so far.
  uint64_t bd_errors;
  // Bytes of the SSD tier's file in use.
  uint64_t bd_used;
  // Most that they may be; 0 = there is no SSD tier.
  uint64_t bd_limit;
  // Units moved from the pool to SSD.
  uint64_t demoted_units;
  // Units of which the pool has kept the record, as they came back from SSD or lay beside one that did.
  uint64_t promoted_units;
  // Units made resident before they were asked for.
  uint64_t read_ahead_units;
  // Uncompressed size of the units on SSD; orig_data_size has it too.
  uint64_t bd_data_size;
  // Nanoseconds that writers have waited so far because of ssd_write_rate.
  uint64_t bd_wait_ns;
  // Bytes that may still be written to SSD today; 0 without ssd_writes_per_day.
  uint64_t writeback_limit;
  // ssd_writes_per_day; 0 = no limit.
  uint64_t writes_per_day;
  // Units in the pool of which a denser codec made a smaller object.
  uint64_t recompressed_units;
  // Pages of the pool given back so far because objects were moved out of sparse chunks.
  uint64_t pages_compacted;
  // Units whose objects were moved for that.
  uint64_t compacted_units;
  // Memory of all staging buffers, whoever has them; the last few are kept.
  uint64_t staging_bytes;
  // Of the units written to SSD so far, how many only changed their place there.
  uint64_t bd_moved;
  // Idle units on which a denser codec was tried.
  uint64_t recompress_tried_units;
  // Faults of writers that were held back because memory was far above its limit.
  uint64_t held_writes;
  // Nanoseconds that reads from SSD have taken so far, those of read-ahead included.
  uint64_t bd_read_ns;
  // Bytes of units that are pinned: native code may give their addresses to the kernel, so they stay resident.
  uint64_t pinned_bytes;
  // Units whose pages were compressed anew, one by one, as the program reads one at a time.
  uint64_t split_units;
  // Units that an accelerator compressed.
  uint64_t offloaded_units;
  // Units that an accelerator could have compressed, and the CPU did: it was busy, slow, wrong or gone.
  uint64_t offload_missed_units;
  // Of those, units for which an accelerator's output was wrong.
  uint64_t offload_wrong_units;
  // Memory of the tables that say where contents are, and in which order they came into memory.
  uint64_t store_table_bytes;
} zt_stats;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// From now on `line` is called with each line that the engine says to people: why it ends the process, which contents are
// lost, why a range cannot be opened. With NULL, standard error gets them, as before the first call.
//
// Any thread may call it, also one that serves a fault: it touches no range and calls no function of the engine. The text
// is gone once it returns.
//
// # Safety
// `line` is NULL or a function that may be called as long as the engine is loaded, or until another one takes its place.
int zt_log(void (*line)(const char *line));

// Compresses `len` bytes at `src`, 64 KiB at most, to the front of the `cap` bytes at `dst`, and stores in `*stored` how
// many of them that took. -ENOSPC: they are too few, or there are more bytes to compress; `dst` may hold anything then.
//
// # Safety
// `src` is the caller's `len` bytes, `dst` other `cap` bytes, `stored` a variable of the caller's.
int zt_lz4_compress(const void *src,
                    size_t len,
                    void *dst,
                    size_t cap,
                    size_t *stored);

// Decompresses the `len` bytes at `src`, which are what zt_lz4_compress has made of `cap` bytes, to these. -EINVAL: they
// are something else, and `dst` may hold anything.
//
// # Safety
// `src` is the caller's `len` bytes, `dst` other `cap` bytes.
int zt_lz4_decompress(const void *src,
                      size_t len,
                      void *dst,
                      size_t cap);

// Opens a range of `len` bytes, all zeros, and stores it in `*out`.
//
// `base` is NULL (the engine reserves the addresses) or the page-aligned address of a PROT_NONE
// reservation of the caller's, which the range takes over until it is closed; after a failure it is
// PROT_NONE as before. `len` must be a multiple of the unit size. `cfg` may be NULL.
//
// Not for memory that a device writes to by itself, be it while a call lasts (O_DIRECT) or longer (registered buffers of
// io_uring, RDMA): pages may leave although the kernel has taken hold of them for a transfer. Bytes that are written to them then are
// lost, and the range has what was there before; reads give the bytes that they held when they left. Calls that copy
// are as good as instructions.
//
// -EPERM: userfaultfd is forbidden to this process; with ZT_FAULT_SIGBUS it needs no privilege on Linux 5.11 or later.
// -ENOSYS: the kernel lacks it, or write protection with it. -EINVAL, -E2BIG: an argument cannot be. -ENOMEM: no
// memory or address space. -EEXIST: the SSD tier's device holds data. -ENOENT, -EACCES, -ENOSPC and the like: the SSD
// tier's file cannot be made.
//
// # Safety
// As above; nobody touches the addresses before this returns.
int zt_range_open(void *base,
                  size_t len,
                  const struct zt_config *cfg,
                  struct zt_range **out);

// The range's first byte; NULL for NULL. For hosts that let the engine reserve the addresses: the JVM does not.
//
// # Safety
// `range` is NULL or an open range.
void *zt_range_base(const struct zt_range *range);

// Ends the range: joins its threads and frees everything. The JVM keeps its range until the process ends. Its addresses are unmapped, or PROT_NONE
// again if they were the caller's. NULL is ignored.
//
// # Safety
// `range` is NULL or an open range that no other thread uses, whose addresses nobody touches any
// more.
int zt_range_close(struct zt_range *range);

// Serves a fault of the calling thread in a range that was opened with ZT_FAULT_SIGBUS: to be called by the handler of
// SIGBUS with the signal's `si_addr` when its `si_code` is BUS_ADRERR; `write` is not 0 if the access was a write. After 0 the
// instruction can be tried again. -EINVAL: the contents are lost, or the address is not the range's, or the range was
// opened otherwise; then the signal means what it means elsewhere.
//
// Safe in a signal handler as long as the interrupted code is no allocator or such: it takes locks and memory.
//
// # Safety
// `range` is an open range.
int zt_range_fault(const struct zt_range *range,
                   void *address,
                   int write);

// From now on threads of the range serve faults, and system calls may be given its addresses, as if it had been
// opened with ZT_FAULT_HANDLER. After an error threads go on to serve themselves; -EINVAL: it is so already; -EPERM:
// that takes a privilege.
//
// # Safety
// `range` is an open range, and until this returns nobody writes to its addresses or uses what is read there, except
// where they are pinned.
int zt_range_use_handlers(struct zt_range *range);

// Makes the pages of `len` bytes from `offset` resident and writable, and keeps them so until as many calls of
// zt_range_unpin with that offset: system calls may be given these addresses, whoever serves faults. The bytes may be any,
// but `offset` must be a multiple of 8, and pins that begin there have one length. Pins of several threads are counted, and
// may overlap. A part that was pinned just before costs next to nothing. No call waits for another pin to end. Meanwhile nobody
// submits or discards these bytes.
//
// Half of what may be resident may be pinned. 1: it is pinned, but pins have brought in far more than their uses can be
// worth; zt_range_use_handlers would serve what is touched, and no more. -ENOMEM: more bytes than may be pinned. -EAGAIN:
// more than other pins leave of that. -EIO: some contents are lost. -EINVAL: other arguments cannot be.
//
// # Safety
// `range` is an open range.
int zt_range_pin(const struct zt_range *range,
                 uint64_t offset,
                 size_t len);

// Ends one pin that begins at `offset`. -EINVAL: there is none, and nothing has changed.
//
// # Safety
// `range` is an open range.
int zt_range_unpin(const struct zt_range *range, uint64_t offset);

// Ends all pins, also those of which nobody said so: the host knows that none is in use.
//
// # Safety
// `range` is an open range.
int zt_range_unpin_all(const struct zt_range *range);

// Corrects the unit at `offset` where it is not in memory, and reads nothing for that. Readers find the `count` patches made. No two
// of them are of the same bytes. -EBUSY, and nothing has changed: it is in memory or on its way out of it, or patches take as
// much memory as they may; then write to its addresses. Nobody else may write to these bytes meanwhile.
//
// -EINVAL: `offset` is no multiple of the unit size, `count` is 0, or a patch is not of four bytes of the unit.
//
// # Safety
// `range` is an open range, `patches` the caller's `count` patches.
int zt_range_patch(struct zt_range *range,
                   uint64_t offset,
                   const struct zt_patch *patches,
                   size_t count);

// Makes `len` bytes from `offset` zeros again, whatever state they are in, and gives back all memory
// they took. Both must be multiples of the unit size. -EBUSY: somebody has pinned some of them, and nothing has changed.
//
// # Safety
// `range` is an open range.
int zt_range_discard(struct zt_range *range,
                     uint64_t offset,
                     size_t len);

// Stores in `*bytes` how many more bytes may be submitted now if each thousand of them take `cost` bytes of DRAM once
// they are compressed (see zt_range_sample), and all that is there as much as it takes so far; UINT64_MAX without a
// pool limit.
//
// # Safety
// `range` is an open range, `bytes` a variable of the caller's.
int zt_range_capacity(struct zt_range *range,
                      uint32_t cost,
                      uint64_t *bytes);

// Stores in `*stored` how many bytes of DRAM the `len` bytes at `data` would take if they were compressed as far as the
// range does that. `len` must be a multiple of the unit size.
//
// # Safety
// `range` is an open range, `data` the caller's `len` bytes, `stored` a variable of the caller's.
int zt_range_sample(const struct zt_range *range,
                    const void *data,
                    size_t len,
                    uint64_t *stored);

// Moves what the pool has of `len` bytes from `offset` to SSD, if `idle_only` is not 0 only what of it is idle (see
// idle_epochs), and stores in `*moved` how many bytes that is, uncompressed. Pages that are in memory stay there
// too. Both must be multiples of the unit size.
//
// -EINVAL: not whole units, or there is no SSD tier. -ENOSPC: the SSD is full, or does not write; what is
// not on it stays in the pool.
//
// # Safety
// `range` is an open range, `moved` a variable of the caller's.
int zt_range_writeback(struct zt_range *range,
                       uint64_t offset,
                       size_t len,
                       uint32_t idle_only,
                       uint64_t *moved);

// Adds to `*census` where the `len` bytes from `offset` are, about now. Both must be multiples of the unit size.
//
// # Safety
// `range` is an open range, `census` a variable of the caller's.
int zt_range_census(const struct zt_range *range,
                    uint64_t offset,
                    size_t len,
                    struct zt_census *census);

// Makes room for `bytes` that the calling thread is about to touch beside the range, and keeps them free for a while, or until
// zt_range_end_room. Where there is room, that takes next to nothing; else the thread takes pages of the range out of memory,
// which may take as long as compressing them, and longer with an SSD. For allocations of some pages or more.
//
// -ENOMEM: there is less, though all has left memory that can; the caller may go on, and the kernel may end the process.
//
// # Safety
// `range` is an open range.
int zt_range_make_room(const struct zt_range *range,
                       size_t bytes);

// `bytes` for which zt_range_make_room was called are free again. It does not matter whether they were touched, nor when.
//
// # Safety
// `range` is an open range.
int zt_range_end_room(const struct zt_range *range,
                      size_t bytes);

// Somebody is about to need memory who cannot ask for it, such as a child process that starts. For some seconds the kernel can
// take more of the range by itself than else. The call may take some tenths of a second.
//
// # Safety
// `range` is an open range.
int zt_range_expect(const struct zt_range *range);

// Another `dram_max` than the range was opened with: the host has more memory for it, or wants some back.
// Pages leave for that soon, not at once. -EINVAL: it was opened without one.
//
// # Safety
// `range` is an open range.
int zt_range_set_dram_max(struct zt_range *range,
                          uint64_t bytes);

// Writes the oldest decision about the division of memory that was not asked for yet, with its reason and what
// was known, to `text`: a C string, cut to `cap` bytes, empty if there is none. The last few are kept.
//
// # Safety
// `range` is an open range, `text` the caller's `cap` bytes.
int zt_range_next_decision(struct zt_range *range,
                           char *text,
                           size_t cap);

// Writes which unit could not be read last, and why, to `text`: a C string, cut to `cap` bytes, empty if none was. Neither
// waits nor allocates, so that a process that has crashed may ask.
//
// # Safety
// `range` is an open range, `text` the caller's `cap` bytes.
int zt_range_last_loss(const struct zt_range *range,
                       char *text,
                       size_t cap);

// One garbage collection of the host has passed: the engine's clock ticks.
//
// # Safety
// `range` is an open range.
int zt_range_epoch(struct zt_range *range);

// The engine's version, a constant string. The JVM does not ask for it: it has the engine that it was built with.
const char *zt_version(void);

// Stores in `*buf` a staging buffer and in `*cap` its size (1 MiB). It is page-aligned, its contents
// are undefined, and it is the caller's until it is submitted or cancelled.
//
// When the staging limit is reached, the caller compresses queued units itself until a buffer is
// free; that never fails. -ENOMEM: no memory.
//
// # Safety
// `range` is an open range; `buf` and `cap` are variables of the caller's (`cap` may be NULL).
int zt_stage_acquire(struct zt_range *range,
                     void **buf,
                     size_t *cap);

// Makes the first `len` bytes of `buf` the contents of the range from `offset` on, at once for every
// reader; workers compress them later. Both must be multiples of the unit size. The buffer belongs to
// the engine again, unless this fails (-EINVAL; -EBUSY: somebody has pinned some of the units).
//
// A unit that the pool has no room for stays in memory, above the resident limit if need be;
// zt_range_capacity tells beforehand.
//
// # Safety
// `range` is an open range; nobody else uses the buffer.
int zt_stage_submit(struct zt_range *range,
                    void *buf,
                    uint64_t offset,
                    size_t len);

// Gives a buffer back unused. The JVM submits all that it acquires.
//
// # Safety
// As for `zt_stage_submit`.
int zt_stage_cancel(struct zt_range *range, void *buf);

// Waits until nothing is staged. The caller helps to compress meanwhile. For tests and measurements: a host has no need of it.
//
// # Safety
// `range` is an open range.
int zt_range_drain(struct zt_range *range);

// Fills in `*stats`, whose `size` the caller has set: fields that the caller's version lacks are left
// out, fields that this version lacks are left as they were.
//
// # Safety
// `range` is an open range; `stats` points to as many bytes as its `size` says.
int zt_range_stats(const struct zt_range *range,
                   struct zt_stats *stats);

// Writes how long faults took so far to `text`, as JSON: a list with an object for each tier that had the contents. In
// `fault_ns`, `sum` is the sum of the times in ns, and `buckets` has the least time and the count of each bucket that is
// not empty. -EINVAL: `cap` is less than ZT_FAULT_TIMES_LEN.
//
// # Safety
// `range` is an open range, `text` the caller's `cap` bytes.
int zt_range_fault_times(const struct zt_range *range,
                         char *text,
                         size_t cap);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ZTERA_H */
