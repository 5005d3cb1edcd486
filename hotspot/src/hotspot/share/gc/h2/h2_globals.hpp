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

#ifndef SHARE_GC_H2_H2_GLOBALS_HPP
#define SHARE_GC_H2_H2_GLOBALS_HPP

// Flags of the second heap. Only H2Size is needed to switch it on; a value of
// 0 elsewhere means "derive it from H2Size and the container's memory limit"
// (see H2Arguments).

#define GC_H2_FLAGS(develop,                                                \
                    develop_pd,                                             \
                    product,                                                \
                    product_pd,                                             \
                    range,                                                  \
                    constraint)                                             \
  product(size_t, H2Size, 0,                                                \
          "Capacity of the second heap (H2) in bytes; 0 switches it off")   \
                                                                            \
  product(size_t, H2MemoryLimit, 0,                                         \
          "Bytes of memory that the process may use in all: H1, H2 and "    \
          "the JVM besides; 0 takes the container's or machine's limit")    \
                                                                            \
  product(size_t, H2ResidentSize, 0,                                        \
          "Most DRAM in bytes that uncompressed pages of H2 may occupy "    \
          "within the memory limit; 0 sets no maximum of their own")        \
                                                                            \
  product(size_t, H2PoolSize, 0,                                            \
          "Most DRAM in bytes that compressed pages of H2 may occupy "      \
          "within the memory limit; 0 sets no maximum of their own")        \
                                                                            \
  product(ccstr, H2Path, nullptr,                                           \
          "Directory of H2's file: the SSD below compressed memory, or, "   \
          "with H2Backing=file, all of H2. For the first also a block "     \
          "device that nobody uses")                                        \
                                                                            \
  product(size_t, H2FileSize, 0,                                            \
          "Limit in bytes of H2's file; 0 means enough for H2Size, and "    \
          "at most 90 % of what the file system has free")                  \
                                                                            \
  product(size_t, H2WriteRate, 0,                                           \
          "Bytes per second that may be written to H2's file, so that the " \
          "SSD lasts; 0 sets no limit")                                     \
                                                                            \
  product(size_t, H2WritesPerDay, 0,                                        \
          "Bytes per day that may be written to H2's file, so that the "    \
          "SSD lasts; 0 sets no limit")                                     \
                                                                            \
  product(bool, H2Encrypt, false,                                           \
          "Encrypt what is written to H2's file with a key that only this " \
          "process has, and that ends with it")                             \
                                                                            \
  product(ccstr, H2Backing, "tier",                                         \
          "What is below H2: tier (DRAM, compressed DRAM and, if H2Path is "\
          "set, SSD) or file (one file mapped from H2Path)")                \
                                                                            \
  product(ccstr, H2Codec, "lz4",                                            \
          "Codec for the compressed pages of H2 while they are warm: lz4, " \
          "zstd or deflate")                                                \
                                                                            \
  product(ccstr, H2RecompressCodec, "zstd",                                 \
          "Codec for compressed pages of H2 that became idle, or when "     \
          "memory is short: zstd, deflate, none")                           \
                                                                            \
  product(ccstr, H2Accelerator, nullptr,                                    \
          "A device that compresses pages of H2 in batches, where H2Codec " \
          "or H2RecompressCodec is deflate: qatzip, nvcomp or model. "      \
          "Where it is missing, the CPU compresses")                        \
                                                                            \
  product(uint, H2IdleEpochs, 16,                                           \
          "Compressed pages of H2 that were not touched for this many GC "  \
          "cycles are idle: when the pool fills, they are recompressed, "   \
          "and later go to SSD; rounded up to a multiple of 4, 0 switches " \
          "both off")                                                       \
                                                                            \
  product(size_t, H2UnitSize, 0,                                            \
          "Bytes compressed as one unit, a power of two from 4K to 64K; "   \
          "0 chooses")                                                      \
                                                                            \
  product(size_t, H2RegionSize, 0,                                          \
          "Bytes of one H2 region, a power of two from 256K to 256M; "      \
          "0 chooses")                                                      \
                                                                            \
  product(uint, H2MoveThreshold, 85,                                        \
          "After a full GC that leaves more than this percentage of the "   \
          "old generation live, tagged groups move to H2, oldest first; "   \
          "60 at most while full GCs follow each other closely")            \
          range(0, 100)                                                     \
                                                                            \
  product(bool, H2Auto, true,                                               \
          "When the old generation is short of room, move whatever is "     \
          "old to H2, as far as tagged groups are not enough")              \
                                                                            \
  product(ccstr, H2FaultMode, "auto",                                       \
          "Who serves a fault on H2: sigbus (the thread that faulted), "    \
          "handler (a thread of the engine, which takes longer to wake) or "\
          "auto (sigbus where it can be)")                                  \
                                                                            \
  product(bool, H2Verify, false, DIAGNOSTIC,                                \
          "Check all of H2 after each GC")                                  \
                                                                            \
  product(bool, H2Stress, false, DIAGNOSTIC,                                \
          "Move a seeded random choice of objects to H2 at each full GC, "  \
          "tagged or not")                                                  \
                                                                            \
  product(uint, H2StressSeed, 0, DIAGNOSTIC,                                \
          "Seed of H2Stress; 0 draws one and logs it")                      \
                                                                            \
  product(size_t, H2StressInterval, 0, DIAGNOSTIC,                          \
          "With H2Stress, bytes allocated from one forced full GC to the "  \
          "next; 0 forces none")

// end of GC_H2_FLAGS

#endif // SHARE_GC_H2_H2_GLOBALS_HPP
