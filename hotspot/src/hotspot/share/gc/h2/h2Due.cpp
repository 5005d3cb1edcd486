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
#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2Due.hpp"
#include "gc/h2/h2DueRule.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/h2/h2Unstored.hpp"
#include "gc/shared/gc_globals.hpp"

// The engine counts in pages of this size.
static const size_t PageBytes = 4 * K;

bool H2Due::lends_for_good(H2EngineStats* engine) {
  return H2Path == nullptr && H2Limits::shares_budget() && H2Limits::is_limit_our_own() &&
         H2Budget::division()._limit > 0 && H2Heap::backend()->stats(engine);
}

static H2DueSnapshot snapshot(const H2EngineStats& engine) {
  H2DueSnapshot s;
  s._huge = engine.huge_pages * PageBytes;
  s._raw = H2Unstored::raw_bytes(engine);
  s._pool = engine.mem_used_total;
  s._used = H2Heap::used();
  s._beside_full_h1 = H2Budget::h2_bytes_beside_full_h1();
  return s;
}

size_t H2Due::bytes() {
  H2EngineStats engine;
  return lends_for_good(&engine) ? H2DueRule::bytes(snapshot(engine)) : 0;
}

bool H2Due::is_mostly_raw() {
  H2EngineStats engine;
  return lends_for_good(&engine) && H2DueRule::is_mostly_raw(snapshot(engine));
}

bool H2Due::is_possible() {
  H2EngineStats engine;
  return lends_for_good(&engine);
}

void H2Due::will_move(size_t bytes, double raw_part, double cost) {
  H2EngineStats engine;
  if (bytes > 0 && lends_for_good(&engine)) {
    H2Unstored::will_move(bytes, raw_part, cost, engine);
  }
}
