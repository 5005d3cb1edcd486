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

#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Beside.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Imports.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/shared/gc_globals.hpp"
#include "logging/log.hpp"
#include "nmt/mallocHeader.inline.hpp"
#include "nmt/memTracker.hpp"
#include "runtime/os.hpp"

#ifdef LINUX

#include <dlfcn.h>
#include <malloc.h>
#include <spawn.h>
#include <unistd.h>

bool H2Beside::makes_room() {
  return H2Heap::is_enabled() && H2Heap::backend() != nullptr && H2Limits::shares_budget();
}

static size_t bytes_of(void* block) {
  if (block == nullptr) {
    return 0;
  }
  return MemTracker::enabled() ? MallocHeader::resolve_checked(block)->size() : ::malloc_usable_size(block);
}

void H2Beside::ask_for_room(size_t bytes) {
  // More than half of the limit in one piece may be an address range of which the program touches a part.
  if (makes_room() && !H2Heap::backend()->make_room(bytes) && bytes <= H2Limits::memory_limit() / 2) {
    warn(bytes);
  }
}

void H2Beside::end_room(size_t bytes) {
  if (bytes >= LeastBytes && makes_room()) {
    H2Heap::backend()->end_room(bytes);
  }
}

void H2Beside::make_room(void* block, size_t bytes) {
  const size_t before = bytes_of(block);
  if (bytes > before) {
    make_room(bytes - before);
  }
}

void H2Beside::free(void* block) {
  if (H2Heap::is_enabled()) {
    end_room(bytes_of(block));
  }
}

void H2Beside::warn(size_t bytes) {
  static bool has_warned = false;

  if (!has_warned) {
    has_warned = true;
    log_warning(gc, h2)("The memory limit of %zuM has no room for %zuK beside both heaps: the kernel may end the process. "
                        "Give a larger one, a smaller -Xmx or -XX:MaxDirectMemorySize%s",
                        H2Limits::memory_limit() / M, bytes / K, H2Path == nullptr ? ", or an SSD by H2Path" : "");
  }
}

void H2Beside::expect_child() {
  if (makes_room()) {
    H2Heap::backend()->expect_child();
  }
}

// The functions in place of those of the C library by which the JDK's libraries start processes.
class H2SpawnCalls : AllStatic {
 public:
  static int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                         const posix_spawnattr_t* attributes, char* const argv[], char* const envp[]) {
    H2Beside::expect_child();
    return ::posix_spawn(pid, path, actions, attributes, argv, envp);
  }

  static pid_t fork() {
    H2Beside::expect_child();
    return ::fork();
  }
};

static H2Imports::Function functions[] = {
  { "posix_spawn", (void*)&H2SpawnCalls::posix_spawn, nullptr },
  { "fork",        (void*)&H2SpawnCalls::fork,        nullptr },
};

void H2Beside::library_loaded() {
  if (makes_room()) {
    for (H2Imports::Function& function : functions) {
      function._real = dlsym(RTLD_DEFAULT, function._name);
    }
    H2Imports::replace(functions, ARRAY_SIZE(functions));
  }
}

#else

bool H2Beside::makes_room()             { return false; }
void H2Beside::ask_for_room(size_t)     {}
void H2Beside::end_room(size_t)         {}
void H2Beside::warn(size_t)             {}
void H2Beside::make_room(void*, size_t) {}
void H2Beside::free(void*)              {}
void H2Beside::library_loaded()         {}
void H2Beside::expect_child()           {}

#endif
