// SPDX-License-Identifier: MIT OR Apache-2.0
// Copyright (c) 2026, the ZTera authors.
//
// The C interface from end to end, as a host program uses it: threads and system calls read a range
// that is mostly compressed, write to it, discard it. Prints "ok" at the end; any failure aborts with a
// line that says which check failed. Built and run by the Rust test `c_program`.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "ztera.h"

#define CHECK(condition)                                                          \
  do {                                                                            \
    if (!(condition)) {                                                           \
      fprintf(stderr, "%s:%d: failed: %s (errno %d)\n", __FILE__, __LINE__,       \
              #condition, errno);                                                 \
      abort();                                                                    \
    }                                                                             \
  } while (0)

enum { UNIT = 16384, WORDS = UNIT / 8, UNITS = 2048, THREADS = 4 };
static const size_t LEN = (size_t)UNITS * UNIT;

// Word `i` of `unit` in its `version`. Compresses to about half; every 8th unit not at all, every
// 16th is all one word.
static uint64_t word(uint64_t unit, uint64_t i, uint64_t version) {
  uint64_t x = (unit * 0x9e3779b97f4a7c15u) ^ (version << 32);
  if (unit % 16 == 5) return (x & 0xffffffffu) * 0x100000001u;
  x += i * 0xbf58476d1ce4e5b9u;
  x ^= x >> 31;
  x *= 0x94d049bb133111ebu;
  x ^= x >> 29;
  return unit % 8 == 3 ? x : x & 0xffffff00000000ffu;
}

static zt_stats stats_of(const zt_range *range) {
  zt_stats stats = {.size = sizeof stats};
  CHECK(zt_range_stats(range, &stats) == 0);
  CHECK(stats.size == sizeof stats && stats.reserved == 0);
  return stats;
}

// Whether no unit of a range holds data, in any tier.
static bool is_empty(zt_stats stats) {
  return stats.orig_data_size == 0 && stats.compr_data_size == 0 && stats.resident_bytes == 0 && stats.mem_used_total == 0;
}

static void submit_all(zt_range *range, uint64_t version) {
  for (uint64_t unit = 0; unit < UNITS;) {
    void *buf;
    size_t cap;
    CHECK(zt_stage_acquire(range, &buf, &cap) == 0);
    CHECK(cap == 1 << 20);
    uint64_t *words = buf;
    const uint64_t first = unit;
    for (; unit < UNITS && (unit - first + 1) * UNIT <= cap; unit++)
      for (uint64_t i = 0; i < WORDS; i++) *words++ = word(unit, i, version);
    CHECK(zt_stage_submit(range, buf, first * UNIT, (unit - first) * UNIT) == 0);
  }
}

struct reader {
  pthread_t thread;
  const uint64_t *base;
  uint64_t seed, version;
};

static void *read_randomly(void *arg) {
  struct reader *reader = arg;
  uint64_t x = reader->seed;
  for (int n = 0; n < 6000; n++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    const uint64_t unit = (x >> 40) % UNITS, i = (x >> 20) % WORDS;
    CHECK(reader->base[unit * WORDS + i] == word(unit, i, reader->version));
  }
  return NULL;
}

static void read_by_threads(const uint64_t *base, uint64_t version) {
  struct reader readers[THREADS];
  for (int t = 0; t < THREADS; t++) {
    readers[t] = (struct reader){.base = base, .seed = 77 + t, .version = version};
    CHECK(pthread_create(&readers[t].thread, NULL, read_randomly, &readers[t]) == 0);
  }
  for (int t = 0; t < THREADS; t++) CHECK(pthread_join(readers[t].thread, NULL) == 0);
}

// The kernel reads from and writes to units that are not resident.
static void use_system_calls(zt_range *range, uint64_t *base) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  const uint64_t from = 700, to = 1500;
  for (uint64_t i = 0; i < WORDS; i += 256) {
    CHECK(write(ends[1], base + from * WORDS + i, 2048) == 2048);
    CHECK(read(ends[0], base + to * WORDS + i, 2048) == 2048);
  }
  for (uint64_t i = 0; i < WORDS; i++) CHECK(base[to * WORDS + i] == word(from, i, 0));
  for (uint64_t i = 0; i < WORDS; i++) base[to * WORDS + i] = word(to, i, 0);
  CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
  CHECK(stats_of(range).fault_count > 0);
}

static void dirty_and_read_back(zt_range *range, uint64_t *base) {
  for (uint64_t unit = 0; unit < UNITS; unit++) {
    CHECK(base[unit * WORDS + 1] == word(unit, 1, 0));
    base[unit * WORDS + 1] = ~unit;
  }
  for (uint64_t unit = 0; unit < UNITS; unit++) {
    CHECK(base[unit * WORDS] == word(unit, 0, 0));
    CHECK(base[unit * WORDS + 1] == ~unit);
  }
  CHECK(stats_of(range).evicted_dirty > 0);
  CHECK(stats_of(range).wp_fault_count > 0);
}

static void discard_half(zt_range *range, const uint64_t *base) {
  CHECK(zt_range_discard(range, 0, LEN / 2) == 0);
  for (uint64_t unit = 0; unit < UNITS / 2; unit++) CHECK(base[unit * WORDS + 1] == 0);
  for (uint64_t unit = UNITS / 2; unit < UNITS; unit++) CHECK(base[unit * WORDS + 1] == ~unit);
}

static void misuse(zt_range *range) {
  void *buf;
  size_t cap;
  CHECK(zt_stage_acquire(range, &buf, &cap) == 0);
  CHECK(zt_stage_submit(range, buf, 100, UNIT) == -EINVAL);
  CHECK(zt_stage_submit(range, buf, LEN, UNIT) == -EINVAL);
  CHECK(zt_stage_submit(range, buf, 0, UNIT + 1) == -EINVAL);
  CHECK(zt_stage_submit(range, buf, 0, cap + UNIT) == -EINVAL);
  CHECK(zt_stage_submit(range, (char *)buf + 4096, 0, UNIT) == -EINVAL);
  CHECK(zt_stage_cancel(range, buf) == 0);
  CHECK(zt_stage_cancel(range, buf) == -EINVAL);
  CHECK(zt_range_discard(range, 1, UNIT) == -EINVAL);
  CHECK(zt_range_discard(range, UINT64_MAX - UNIT + 1, UNIT) == -EINVAL);
  CHECK(zt_range_drain(NULL) == -EINVAL);
  CHECK(zt_range_base(NULL) == NULL);
  CHECK(zt_range_close(NULL) == 0);
}

static void misuse_of_open(void) {
  zt_range *range = (zt_range *)1;
  zt_config config = {.size = sizeof config, .unit_size = 5000};
  CHECK(zt_range_open(NULL, LEN, &config, &range) == -EINVAL);
  config = (zt_config){.size = sizeof config, .codec = 99};
  CHECK(zt_range_open(NULL, LEN, &config, &range) == -EINVAL);
  config = (zt_config){.size = 0};
  CHECK(zt_range_open(NULL, LEN, &config, &range) == -EINVAL);
  CHECK(zt_range_open(NULL, LEN + 1, NULL, &range) == -EINVAL);
  CHECK(zt_range_open(NULL, 0, NULL, &range) == -EINVAL);
  CHECK(zt_range_open(NULL, LEN, NULL, NULL) == -EINVAL);
  CHECK(range == (zt_range *)1);
  struct {
    zt_config config;
    uint64_t from_the_future;
  } future = {.config = {.size = sizeof future}, .from_the_future = 1};
  CHECK(zt_range_open(NULL, LEN, &future.config, &range) == -E2BIG);
}

// Whether the pages of [at, at + len) can be read, asked of the kernel.
static int readable(const char *at) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  const int result = write(ends[1], at, 1) == 1;
  CHECK(result || errno == EFAULT);
  CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
  return result;
}

static void whole_life(void *base, uint32_t codec) {
  zt_config config = {
      .size = sizeof config,
      .resident_max = LEN / 4,
      .staging_limit = 4 << 20,
      .codec = codec,
      .workers = 2,
      .fault_threads = 2,
  };
  zt_range *range;
  const int opened = zt_range_open(base, LEN, &config, &range);
  if (opened != 0) fprintf(stderr, "zt_range_open: %s\n", strerror(-opened));
  CHECK(opened == 0);
  uint64_t *words = zt_range_base(range);
  CHECK(words != NULL && (base == NULL || (void *)words == base));
  CHECK(words[0] == 0 && words[LEN / 8 - 1] == 0);

  submit_all(range, 1);
  read_by_threads(words, 1);  // much of it still staged
  submit_all(range, 0);       // over what is there already
  CHECK(zt_range_drain(range) == 0);
  CHECK(stats_of(range).staged_bytes == 0);
  read_by_threads(words, 0);

  zt_stats stats = stats_of(range);
  CHECK(stats.orig_data_size > LEN / 2 && stats.orig_data_size <= LEN);
  CHECK(stats.compr_data_size < stats.orig_data_size);
  CHECK(stats.mem_used_total >= stats.compr_data_size);
  CHECK(stats.same_pages > 0 && stats.huge_pages > 0);
  // Units that were just brought in may be above it for a moment.
  for (int i = 0; i < 3000 && stats_of(range).resident_bytes > config.resident_max; i++) {
    usleep(1000);
  }
  CHECK(stats_of(range).resident_bytes <= config.resident_max);
  CHECK(stats.evicted_clean > 0);
  uint64_t room;
  CHECK(zt_range_capacity(range, 1000, &room) == 0 && room == UINT64_MAX);
  CHECK(zt_range_epoch(range) == 0);

  use_system_calls(range, words);
  dirty_and_read_back(range, words);
  discard_half(range, words);
  misuse(range);

  CHECK(zt_range_discard(range, 0, LEN) == 0);
  // A thread of the range may still hold a copy of what it was working on. A handler may still answer a fault whose
  // thread another answer woke: that maps zeros, which the next discard takes.
  stats = stats_of(range);
  for (int i = 0; i < 3000 && !is_empty(stats); i++) {
    usleep(1000);
    CHECK(zt_range_discard(range, 0, LEN) == 0);
    stats = stats_of(range);
  }
  CHECK(is_empty(stats));
  CHECK(stats.mem_used_max > 0);
  CHECK(zt_range_close(range) == 0);
}

// A pool that holds an eighth of it: the rest has to go to SSD, and to come back.
static void life_with_ssd(void) {
  zt_config config = {
      .size = sizeof config,
      .resident_max = LEN / 16,
      .pool_max = LEN / 8,
      .codec = ZT_CODEC_ZSTD,  // what saves less than a quarter goes past the pool
      .ssd_directory = "/tmp",
      .ssd_limit = 2 * (uint64_t)LEN,
  };
  zt_range *range;
  CHECK(zt_range_open(NULL, LEN, &config, &range) == 0);
  uint64_t room;
  CHECK(zt_range_capacity(range, 1000, &room) == 0 && room > LEN);
  submit_all(range, 1);
  CHECK(zt_range_drain(range) == 0);
  read_by_threads(zt_range_base(range), 1);
  const zt_stats stats = stats_of(range);
  CHECK(stats.bd_count > 0 && stats.bd_reads > 0 && stats.bd_writes >= stats.bd_count);
  CHECK(stats.bd_write_bytes > 0 && stats.bd_errors == 0);
  CHECK(stats.bd_used > 0 && stats.bd_used <= stats.bd_limit && stats.bd_limit == config.ssd_limit);
  CHECK(stats.mem_used_max <= config.pool_max);
  char times[ZT_FAULT_TIMES_LEN];
  CHECK(zt_range_fault_times(range, times, sizeof times) == 0 && strlen(times) < sizeof times);
  CHECK(strstr(times, "[{\"tier\":\"memory\",\"fault_ns\":{\"sum\":") == times && times[strlen(times) - 1] == ']');
  CHECK(strstr(times, "\"ssd\"") != NULL && strstr(times, "\"buckets\":[[") != NULL);
  CHECK(zt_range_fault_times(range, times, sizeof times - 1) == -EINVAL);
  CHECK(zt_range_fault_times(range, NULL, sizeof times) == -EINVAL && zt_range_fault_times(NULL, times, sizeof times) == -EINVAL);
  uint64_t moved;
  CHECK(zt_range_writeback(range, 1, UNIT, 0, &moved) == -EINVAL);
  CHECK(zt_range_writeback(range, 0, LEN, 1, &moved) == 0 && moved == 0);  // no epoch has passed
  CHECK(zt_range_writeback(range, 0, LEN, 0, &moved) == 0 && moved > 0);
  CHECK(stats_of(range).bd_count > stats.bd_count);
  zt_census census = {0};
  CHECK(zt_range_census(range, 1, UNIT, &census) == -EINVAL && zt_range_census(range, 0, UNIT, NULL) == -EINVAL);
  CHECK(zt_range_census(range, 0, LEN / 2, &census) == 0 && zt_range_census(range, LEN / 2, LEN / 2, &census) == 0);
  CHECK(census.written_bytes <= census.resident_bytes);
  CHECK(census.ssd_bytes > 0 && census.ssd_bytes + census.resident_bytes + census.compressed_bytes <= LEN);
  read_by_threads(zt_range_base(range), 1);
  CHECK(zt_range_close(range) == 0);
  config.ssd_directory = "/no/such/directory";
  CHECK(zt_range_open(NULL, LEN, &config, &range) == -ENOENT);
}

// Pages have all that the pool does not use, up to the limit for both.
static void life_with_one_limit(void) {
  zt_config config = {
      .size = sizeof config,
      .resident_min = LEN / 16,
      .pool_max = LEN,
      .dram_max = LEN,
      .idle_epochs = 4,
      .recompress_codec = ZT_CODEC_ZSTD,
  };
  zt_range *range;
  CHECK(zt_range_open(NULL, LEN, &config, &range) == 0);
  submit_all(range, 1);
  CHECK(zt_range_drain(range) == 0);
  read_by_threads(zt_range_base(range), 1);
  zt_stats stats = stats_of(range);
  CHECK(stats.resident_limit > config.resident_min && stats.resident_limit < LEN);
  CHECK(zt_range_set_dram_max(range, LEN / 2) == 0);
  CHECK(stats_of(range).resident_limit < stats.resident_limit);
  char text[20];
  memset(text, 'x', sizeof text);
  CHECK(zt_range_next_decision(range, text, sizeof text) == 0 && strlen(text) < sizeof text);
  CHECK(zt_range_next_decision(range, text, 0) == -EINVAL && zt_range_next_decision(range, NULL, 5) == -EINVAL);
  memset(text, 'x', sizeof text);
  CHECK(zt_range_last_loss(range, text, sizeof text) == 0 && strlen(text) == 0);
  CHECK(zt_range_last_loss(range, text, 0) == -EINVAL && zt_range_last_loss(NULL, text, sizeof text) == -EINVAL);
  read_by_threads(zt_range_base(range), 1);
  CHECK(zt_range_close(range) == 0);
  config.pool_max = 0;
  CHECK(zt_range_open(NULL, LEN, &config, &range) == -EINVAL);
}

// Threads that fault serve themselves.

static zt_range *served;

static void on_sigbus(int signal, siginfo_t *info, void *context) {
  (void)signal;
  // Bit 1 of a page fault's error code: it was a write.
  const int write = (((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
  if (info->si_code != BUS_ADRERR || zt_range_fault(served, info->si_addr, write) != 0) abort();
}

static void pins(void) {
  const uint64_t offset = 7 * UNIT + 8;
  CHECK(!readable((char *)zt_range_base(served) + offset));
  CHECK(zt_range_pin(served, offset, UNIT) == 0 && zt_range_pin(served, offset, UNIT) == 0);
  CHECK(readable((char *)zt_range_base(served) + offset));
  CHECK(stats_of(served).pinned_bytes == 2 * UNIT);
  CHECK(zt_range_pin(served, offset, 2 * UNIT) == -EINVAL && zt_range_pin(served, 7, 1) == -EINVAL);
  CHECK(zt_range_pin(served, LEN, 1) == -EINVAL && zt_range_pin(NULL, 0, 1) == -EINVAL);
  CHECK(zt_range_pin(served, 0, 33 * UNIT) == -ENOMEM && zt_range_pin(served, 64 * UNIT, 31 * UNIT) == -EAGAIN);
  CHECK(zt_range_discard(served, 7 * UNIT, UNIT) == -EBUSY);
  CHECK(zt_range_unpin(served, offset) == 0 && zt_range_unpin(served, offset) == 0);
  CHECK(zt_range_unpin(served, offset) == -EINVAL && zt_range_unpin(served, 7) == -EINVAL);
  CHECK(zt_range_pin(served, 64 * UNIT, UNIT) == 0 && zt_range_unpin_all(served) == 0);
  CHECK(stats_of(served).pinned_bytes == 0 && zt_range_unpin_all(NULL) == -EINVAL);
}

static void life_with_signals(void) {
  struct sigaction action = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO};
  struct sigaction before;
  CHECK(sigaction(SIGBUS, &action, &before) == 0);
  zt_config config = {.size = sizeof config, .resident_max = 64 * UNIT, .fault_mode = ZT_FAULT_SIGBUS};
  CHECK(zt_range_open(NULL, LEN, &config, &served) == 0);
  submit_all(served, 1);
  volatile uint64_t *words = zt_range_base(served);
  for (uint64_t unit = UNITS; unit-- > 0;) {
    CHECK(words[unit * WORDS + 5] == word(unit, 5, 1));
    words[unit * WORDS + 6] = unit;
  }
  CHECK(zt_range_fault(served, &config, 0) == -EINVAL);
  for (uint64_t unit = UNITS; unit-- > UNITS / 2;) CHECK(words[unit * WORDS + 5] == word(unit, 5, 1));
  pins();
  CHECK(zt_range_use_handlers(served) == 0);
  CHECK(zt_range_use_handlers(served) != 0);
  CHECK(sigaction(SIGBUS, &before, NULL) == 0);
  for (uint64_t unit = 0; unit < UNITS; unit++) {
    CHECK(words[unit * WORDS + 5] == word(unit, 5, 1) && words[unit * WORDS + 6] == unit);
    CHECK(readable((char *)&words[unit * WORDS]));
  }
  CHECK(zt_range_close(served) == 0);
  config.fault_mode = 7;
  CHECK(zt_range_open(NULL, LEN, &config, &served) == -EINVAL);
}

// Tables of the host's own.
static void pack_tables(void) {
  enum { CAP = 1 << 16 };
  static unsigned char table[CAP + 1], packed[CAP], back[CAP];
  size_t len;
  for (int i = 0; i <= CAP; i++) table[i] = (unsigned char)(i % 100);
  CHECK(zt_lz4_compress(table, CAP, packed, CAP, &len) == 0 && len < CAP / 8);
  CHECK(zt_lz4_decompress(packed, len, back, CAP) == 0 && memcmp(back, table, CAP) == 0);
  CHECK(zt_lz4_decompress(packed, len, back, CAP - 1) == -EINVAL && zt_lz4_decompress(packed, len - 1, back, CAP) == -EINVAL);
  CHECK(zt_lz4_compress(table, CAP, packed, 10, &len) == -ENOSPC && zt_lz4_compress(table, CAP + 1, packed, CAP, &len) == -ENOSPC);
  CHECK(zt_lz4_compress(NULL, CAP, packed, CAP, &len) == -EINVAL && zt_lz4_compress(table, CAP, packed, CAP, NULL) == -EINVAL);
}

static int accelerator_lines;

static void count_line(const char *line) { accelerator_lines += strstr(line, "accelerator is missing") != NULL; }

// Text, of which deflate makes more than filters do.
static char letter(uint64_t unit, uint64_t i) { return (char)('a' + (unit + i * (i % 7 + 3)) % 17); }

// Units by a device, which is a model: all are counted once. With `wrong`, all that it makes is: none is kept.
static void life_with_accelerator(const char *name, bool wrong) {
  enum { COUNT = 256, JOB = 64 };
  zt_range *range;
  zt_config config = {.size = sizeof config, .codec = ZT_CODEC_DEFLATE, .resident_max = 8 * UNIT, .accelerator = name};
  CHECK(zt_range_open(NULL, COUNT * UNIT, &config, &range) == 0);
  for (uint64_t unit = 0; unit < COUNT; unit += JOB) {
    void *buf;
    size_t cap;
    CHECK(zt_stage_acquire(range, &buf, &cap) == 0 && cap == JOB * UNIT);
    for (uint64_t i = 0; i < cap; i++) ((char *)buf)[i] = letter(unit + i / UNIT, i % UNIT);
    CHECK(zt_stage_submit(range, buf, unit * UNIT, cap) == 0);
  }
  CHECK(zt_range_drain(range) == 0);
  const zt_stats stats = stats_of(range);
  CHECK(stats.offloaded_units + stats.offload_missed_units == COUNT);
  CHECK(wrong ? stats.offloaded_units == 0 : stats.offloaded_units > 0);
  CHECK((stats.offload_wrong_units > 0) == wrong);
  const char *base = zt_range_base(range);
  for (uint64_t unit = 0; unit < COUNT; unit++) CHECK(base[unit * UNIT + 5000] == letter(unit, 5000));
  CHECK(zt_range_close(range) == 0);
}

// A name that is none is refused, and so is a device for a codec that is not its. Without its library the CPU goes on.
static void accelerators_that_are_not_there(void) {
  zt_range *range;
  zt_config config = {.size = sizeof config, .codec = ZT_CODEC_DEFLATE, .accelerator = "gpu"};
  CHECK(zt_range_open(NULL, LEN, &config, &range) == -EINVAL);
  config.accelerator = "model";
  config.codec = ZT_CODEC_LZ4;
  CHECK(zt_range_open(NULL, LEN, &config, &range) == -EINVAL);
  config.codec = ZT_CODEC_DEFLATE;
  config.accelerator = "qatzip";
  CHECK(zt_log(count_line) == 0);
  CHECK(zt_range_open(NULL, LEN, &config, &range) == 0);
  CHECK(accelerator_lines == (dlopen("libqatzip.so.3", RTLD_NOW) == NULL));
  CHECK(zt_range_close(range) == 0);
  CHECK(zt_log(NULL) == 0);
}

int main(void) {
  CHECK(strlen(zt_version()) > 0);
  misuse_of_open();
  pack_tables();
  whole_life(NULL, ZT_CODEC_LZ4);
  whole_life(NULL, ZT_CODEC_DEFLATE);
  life_with_ssd();
  life_with_one_limit();
  life_with_signals();
  life_with_accelerator("model:latency=5,page=0,level=1,ring=256", false);
  life_with_accelerator("model:latency=5,page=0,level=1,ring=256,corrupt=1", true);
  accelerators_that_are_not_there();

  char *base = mmap(NULL, LEN + 2 * UNIT, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(base != MAP_FAILED);
  for (int round = 0; round < 2; round++) {
    whole_life(base + UNIT, ZT_CODEC_ZSTD);
    CHECK(!readable(base + UNIT) && !readable(base + LEN));
  }
  zt_range *range;
  zt_config too_small = {.size = sizeof too_small, .pool_max = 1};
  CHECK(zt_range_open(base + UNIT, LEN, &too_small, &range) == -EINVAL);
  CHECK(!readable(base + UNIT));
  puts("ok");
  return 0;
}
