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
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Pacer.hpp"
#include "gc/parallel/parallelScavengeHeap.hpp"
#include "gc/parallel/psOldGen.hpp"
#include "gc/shared/gc_globals.hpp"
#include "logging/log.hpp"

size_t H2Pacer::_old_after_full = 0;
bool   H2Pacer::_is_short = false;

// Between two full GCs at least this part of the old generation is promoted, so that
// they pay where nothing can move.
static const size_t LeastPart = 8;

// Of each byte, if what comes compresses as well as what there is. 0 when nothing is
// compressed yet.
static double cost(const H2EngineStats& engine) {
  return engine.orig_data_size == 0 ? 0.0 : MIN2((double)engine.mem_used_total / (double)engine.orig_data_size, 1.0);
}

// Bytes of H2 and the old generation once all of both is compressed, and some more, as
// ratios differ and a pool has gaps.
static size_t compressed_bytes(const H2EngineStats& engine) {
  const size_t bytes = H2Heap::used() + ParallelScavengeHeap::heap()->old_gen()->used_in_bytes();
  return (size_t)(cost(engine) * (double)(bytes + bytes / 16));
}

void H2Pacer::young_finished() {
  H2EngineStats engine;
  if (!H2Arguments::shares_budget() || H2Path != nullptr || AlwaysPreTouch || !H2Heap::backend()->stats(&engine)) {
    return;
  }
  const PSOldGen* const old_gen = ParallelScavengeHeap::heap()->old_gen();
  const size_t used = old_gen->used_in_bytes();
  const size_t promoted = used - MIN2(used, _old_after_full);
  const size_t needed = compressed_bytes(engine) + H2Arguments::least_bytes();
  _is_short = needed > H2Budget::h2_bytes() && promoted >= old_gen->max_gen_size() / LeastPart;
  if (_is_short) {
    log_info(gc, h2)("Full GC before H1 is full: H2 will need %zuM, and has %zuM; %zuM were promoted",
                     needed / M, H2Budget::h2_bytes() / M, promoted / M);
  }
}

void H2Pacer::full_finished() {
  _old_after_full = ParallelScavengeHeap::heap()->old_gen()->used_in_bytes();
  _is_short = false;
}
