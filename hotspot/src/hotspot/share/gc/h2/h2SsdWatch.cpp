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
#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2SsdWatch.hpp"
#include "gc/shared/gc_globals.hpp"
#include "runtime/os.hpp"

#include <sys/stat.h>
#include <sys/statvfs.h>

uint64_t H2SsdWatch::_errors = 0;
double   H2SsdWatch::_refused_at = -1.0;
double   H2SsdWatch::_warned_at = -1.0;
double   H2SsdWatch::_named_at = -1.0;

// The engine tries again whenever it needs room: without an error for so long, the SSD works,
// or is not needed.
static const double PatienceSeconds = 10.0;
static const double WarningSeconds = 300.0;

bool H2SsdWatch::takes_writes() {
  const bool refuses = _refused_at >= 0.0 && os::elapsedTime() - _refused_at < PatienceSeconds;
  return H2Path != nullptr && !refuses;
}

void H2SsdWatch::look(const H2EngineStats& engine) {
  const bool took = takes_writes();
  if (engine.bd_errors == _errors) {
    if (!took && takes_writes()) {
      H2Decisions::note("H2Path=%s: no write has failed for %.0fs", H2Path, PatienceSeconds);
    }
    return;
  }
  const uint64_t errors = engine.bd_errors - _errors;
  const double now = os::elapsedTime();
  _errors = engine.bd_errors;
  _refused_at = now;
  if (_warned_at < 0.0 || now - _warned_at >= WarningSeconds) {
    _warned_at = now;
    warn(errors);
  }
}

// Others may have filled it. A device that is all H2's has no such number.
static bool has_no_space(size_t* free_bytes) {
  struct stat st;
  struct statvfs fs;
  if (::stat(H2Path, &st) != 0 || !S_ISDIR(st.st_mode) || ::statvfs(H2Path, &fs) != 0) {
    return false;
  }
  *free_bytes = (size_t)fs.f_bavail * fs.f_frsize;
  return *free_bytes < 64 * M;
}

void H2SsdWatch::warn(uint64_t errors) {
  size_t free_bytes;
  if (has_no_space(&free_bytes)) {
    H2Decisions::warn("H2Path=%s refuses writes, with %zuM free there (ENOSPC): pages of H2 stay in memory, and an OutOfMemoryError "
                      "follows when that is full; free space there", H2Path, free_bytes / M);
  } else {
    H2Decisions::warn("H2Path=%s fails (" UINT64_FORMAT " errors just now): pages of H2 stay in memory, and an OutOfMemoryError follows "
                      "when that is full; look at the quota there, or at the kernel's log for the device", H2Path, errors);
  }
}

void H2SsdWatch::allocation_failed() {
  H2EngineStats engine;
  if (!H2Heap::is_enabled() || H2Path == nullptr || !H2Heap::backend()->stats(&engine)) {
    return;
  }
  const double now = os::elapsedTime();
  // The engine keeps some of the file free for what it moves there.
  const bool is_full = engine.bd_used + MAX2(engine.bd_limit / 8, (uint64_t)4 * M) >= engine.bd_limit;
  const bool refuses = engine.bd_errors != _errors || !takes_writes();
  if ((!is_full && !refuses) || (_named_at >= 0.0 && now - _named_at < PatienceSeconds)) {
    return;
  }
  _named_at = now;
  size_t free_bytes;
  if (!refuses) {
    H2Decisions::warn("OutOfMemoryError: H2 has no room for more, and H2FileSize=%zuM in H2Path=%s is used up; raise it", H2FileSize / M, H2Path);
  } else if (has_no_space(&free_bytes)) {
    H2Decisions::warn("OutOfMemoryError: H2 has no room for more, as H2Path=%s has no space left (ENOSPC), with %zuM free; free space there",
                      H2Path, free_bytes / M);
  } else {
    H2Decisions::warn("OutOfMemoryError: H2 has no room for more, as H2Path=%s does not take writes; look at the quota there, or at the "
                      "kernel's log for the device", H2Path);
  }
}
