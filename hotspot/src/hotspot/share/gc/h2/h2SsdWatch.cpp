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
#include "gc/h2/h2SsdWatch.hpp"
#include "gc/shared/gc_globals.hpp"
#include "logging/log.hpp"
#include "runtime/os.hpp"

#include <sys/stat.h>
#include <sys/statvfs.h>

uint64_t H2SsdWatch::_errors = 0;
double   H2SsdWatch::_refused_at = -1.0;
double   H2SsdWatch::_warned_at = -1.0;

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
      log_info(gc, h2)("H2Path=%s: no write has failed for %.0fs", H2Path, PatienceSeconds);
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

void H2SsdWatch::warn(uint64_t errors) {
  struct stat st;
  struct statvfs fs;
  const bool is_directory = ::stat(H2Path, &st) == 0 && S_ISDIR(st.st_mode);
  if (is_directory && ::statvfs(H2Path, &fs) == 0 && (size_t)fs.f_bavail * fs.f_frsize < 64 * M) {
    log_warning(gc, h2)("H2Path=%s refuses writes, with %zuM free there: pages of H2 stay in memory, and an OutOfMemoryError follows "
                        "when that is full; free space there", H2Path, (size_t)fs.f_bavail * fs.f_frsize / M);
  } else {
    log_warning(gc, h2)("H2Path=%s fails (" UINT64_FORMAT " errors just now): pages of H2 stay in memory, and an OutOfMemoryError follows "
                        "when that is full; look at the quota there, or at the kernel's log for the device", H2Path, errors);
  }
}
