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

#ifndef SHARE_GC_H2_H2BESIDE_HPP
#define SHARE_GC_H2_H2BESIDE_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// Memory beside both heaps, which the program takes all at once: direct buffers, memory of Unsafe and of arenas, child
// processes. H2 has all DRAM that nobody else uses, and no thread gives it back so fast. So the thread that allocates makes
// room first. It is never refused: no more is known than what there is at that moment. A child cannot ask. Before one
// starts, the kernel is offered more of H2 than else.
class H2Beside : AllStatic {
  // Smaller blocks come one by one, and the kernel takes what it needs for them.
  static const size_t LeastBytes = 64 * K;

  static bool makes_room();
  static void ask_for_room(size_t bytes);
  static void end_room(size_t bytes);
  static void warn(size_t bytes);

 public:
  // Before the calling thread allocates so much to touch it.
  static void make_room(size_t bytes) {
    if (bytes >= LeastBytes) {
      ask_for_room(bytes);
    }
  }
  // The same for a block, or null, that gets another size.
  static void make_room(void* block, size_t bytes);
  // Before a block, or null, is freed.
  static void free(void* block);

  // H2 is open, or the calling thread has loaded a library.
  static void library_loaded();
  // A child process is about to start.
  static void expect_child();
};

#endif // SHARE_GC_H2_H2BESIDE_HPP
