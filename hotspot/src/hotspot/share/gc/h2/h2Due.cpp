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

#include "gc/h2/h2Arguments.hpp"
#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2Due.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Sampler.hpp"
#include "gc/shared/gc_globals.hpp"

double H2Due::_raw_part = 0;
double H2Due::_cost = 1;

// Of the engine's statistics.
static const size_t PageBytes = 4 * K;

// Where nothing is stored on SSD.
size_t H2Due::not_stored_bytes(const H2EngineStats& engine) {
  const size_t used = H2Heap::used();
  return used - MIN2(used, (size_t)engine.orig_data_size);
}

bool H2Due::lends_for_good(H2EngineStats* engine) {
  return H2Path == nullptr && H2Arguments::shares_budget() && H2Arguments::is_limit_our_own() &&
         H2Budget::division()._limit > 0 && H2Heap::backend()->stats(engine);
}

size_t H2Due::raw_pages(const H2EngineStats& engine) {
  return (size_t)(_raw_part * (double)not_stored_bytes(engine));
}

size_t H2Due::raw_bytes(const H2EngineStats& engine) {
  return engine.huge_pages * PageBytes + raw_pages(engine);
}

size_t H2Due::bytes() {
  H2EngineStats engine;
  if (!lends_for_good(&engine)) {
    return 0;
  }
  const size_t kept = engine.mem_used_total + raw_pages(engine);
  return MIN2(raw_bytes(engine), kept - MIN2(kept, H2Budget::h2_bytes_beside_full_h1()));
}

bool H2Due::is_mostly_raw() {
  H2EngineStats engine;
  return lends_for_good(&engine) && raw_bytes(engine) > H2Heap::used() / 4 * 3;
}

bool H2Due::is_possible() {
  H2EngineStats engine;
  return lends_for_good(&engine);
}

void H2Due::will_move(size_t bytes, const H2Sample& sample) {
  H2EngineStats engine;
  if (bytes > 0 && lends_for_good(&engine)) {
    const double before = (double)not_stored_bytes(engine);
    const double part = (double)bytes / (before + (double)bytes);
    _raw_part += (sample._raw_part - _raw_part) * part;
    _cost += (sample._cost / 1000.0 - _cost) * part;
  }
}
