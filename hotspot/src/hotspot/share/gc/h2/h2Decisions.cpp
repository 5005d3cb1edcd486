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

#include "gc/h2/h2Decisions.hpp"
#include "logging/log.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/os.hpp"
#include "utilities/formatBuffer.hpp"
#include "utilities/ostream.hpp"
#include "utilities/vmError.hpp"

H2Decisions::Entry H2Decisions::_entries[Kept];
uint               H2Decisions::_count = 0;

static Mutex* decisions_lock() {
  static Mutex* const lock = new Mutex(Mutex::nosafepoint, "H2Decisions_lock");
  return lock;
}

void H2Decisions::remember(const char* text) {
  MutexLocker ml(decisions_lock(), Mutex::_no_safepoint_check_flag);
  Entry& entry = _entries[_count++ % Kept];
  entry._seconds = os::elapsedTime();
  os::snprintf(entry._reason, sizeof(entry._reason), "%s", text);
}

void H2Decisions::note(const char* format, ...) {
  va_list args;
  va_start(args, format);
  FormatBuffer<512> text(FormatBufferDummy(), format, args);
  va_end(args);
  remember(text);
  log_info(gc, h2)("%s", text.buffer());
}

void H2Decisions::warn(const char* format, ...) {
  va_list args;
  va_start(args, format);
  FormatBuffer<512> text(FormatBufferDummy(), format, args);
  va_end(args);
  remember(text);
  log_warning(gc, h2)("%s", text.buffer());
}

// Calls f with copies, as a stream may block. A crash report waits for no lock: a text may be half of two then.
template <typename Function>
void H2Decisions::each(Function f) {
  Entry entries[Kept];
  uint count;
  {
    MutexLocker ml(VMError::is_error_reported() ? nullptr : decisions_lock(), Mutex::_no_safepoint_check_flag);
    memcpy(entries, _entries, sizeof(entries));
    count = _count;
  }
  for (uint i = count - MIN2(count, Kept); i < count; i++) {
    f(entries[i % Kept]);
  }
}

void H2Decisions::print_on(outputStream* st) {
  each([=](const Entry& entry) {
    st->print_cr("  %.3fs: %s", entry._seconds, entry._reason);
  });
}

// Reasons may have paths in them.
static void print_json_string(outputStream* st, const char* text) {
  st->put('"');
  for (const char* p = text; *p != '\0'; p++) {
    if (*p == '"' || *p == '\\') {
      st->put('\\');
    }
    st->put((unsigned char)*p < ' ' ? ' ' : *p);
  }
  st->put('"');
}

void H2Decisions::print_json(outputStream* st) {
  const char* separator = "";
  st->put('[');
  each([&](const Entry& entry) {
    st->print("%s{\"uptime_seconds\":%.3f,\"reason\":", separator, entry._seconds);
    print_json_string(st, entry._reason);
    st->put('}');
    separator = ",";
  });
  st->put(']');
}
