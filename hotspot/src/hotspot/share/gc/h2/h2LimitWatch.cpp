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

#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2LimitWatch.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/shared/gc_globals.hpp"

size_t H2LimitWatch::_limit = 0;
bool   H2LimitWatch::_has_fallen = false;

// A smaller fall is no reason to collect.
static bool has_fallen_much(size_t before, size_t now) {
  return now < before - before / 16;
}

bool H2LimitWatch::look() {
  const size_t now = H2Limits::memory_limit();
  const size_t before = _limit == 0 ? now : _limit;
  _limit = now;
  if (!has_fallen_much(before, now)) {
    return false;
  }
  _has_fallen = true;
  warn(before, now);
  return true;
}

void H2LimitWatch::warn(size_t before, size_t now) {
  H2Decisions::warn("The memory limit fell from %zuM to %zuM: H1 gives back what it does not use, then H2 what it can", before / M, now / M);
}

// With the least of H2's memory, each access may wait for the SSD or a decoder.
void H2LimitWatch::full_finished() {
  if (!_has_fallen) {
    return;
  }
  _has_fallen = false;
  const H2Division& division = H2Budget::division();
  if (division._h2 <= H2Limits::least_bytes()) {
    const size_t needed = division._h1 + division._beside + division._staging + 4 * H2Limits::least_bytes();
    H2Decisions::warn("The memory limit of %zuM leaves H2 its least, %zuM, beside %zuM of H1 and %zuM of the VM: most accesses to H2 "
                      "will wait for the %s; raise the limit to %zuM, or give a smaller -Xmx",
                      division._limit / M, division._h2 / M, division._h1 / M, division._beside / M,
                      H2Path != nullptr ? "SSD" : "decoder", MAX2(needed, division._limit + division._limit / 4) / M);
  }
}
