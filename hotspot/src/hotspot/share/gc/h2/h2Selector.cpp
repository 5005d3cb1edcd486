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

#include "gc/h2/h2AutoArrays.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Selector.hpp"
#include "gc/h2/h2Stresser.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/parallel/parallelScavengeHeap.inline.hpp"
#include "gc/parallel/psParallelCompact.inline.hpp"
#include "logging/log.hpp"
#include "oops/weakHandle.inline.hpp"

H2Selector::H2Selector() : _asked(H2Tags::has_requests()), _occupied(may_move_unasked() && is_occupied()) {}

bool H2Selector::may_move_unasked() {
  return H2Auto || H2Tags::count() > 0;
}

bool H2Selector::is_occupied() {
  size_t live_words = 0;
  for (uint id = PSParallelCompact::old_space_id; id < PSParallelCompact::last_space_id; id++) {
    live_words += PSParallelCompact::summary_data().live_words_in_space(PSParallelCompact::space(PSParallelCompact::SpaceId(id)));
  }
  const size_t live = live_words << LogHeapWordSize;
  const size_t limit = ParallelScavengeHeap::heap()->old_gen()->max_gen_size() / 100 * H2MoveThreshold;
  log_debug(gc, h2)("Live %zuK, threshold %zuK", live / K, limit / K);
  return live > limit;
}

bool H2Selector::has_work() const {
  return _asked || _occupied || H2Stress;
}

void H2Selector::roots_of(jlong label, Roots* roots) {
  for (const H2Tag& tag : *H2Tags::all()) {
    if (tag._label == label) {
      roots->append(H2Tracer::Root{tag._root.peek(), label});
    }
  }
}

void H2Selector::trace_asked(H2Tracer* tracer) {
  Roots roots;
  for (const H2Tag& tag : *H2Tags::all()) {
    if (H2Tags::is_requested(tag._label)) {
      roots.append(H2Tracer::Root{tag._root.peek(), tag._label});
    }
  }
  const size_t words = tracer->trace(roots);
  log_info(gc, h2)("Asked for: %d roots, %zuK", roots.length(), (words << LogHeapWordSize) / K);
}

void H2Selector::trace_oldest(H2Tracer* tracer, size_t max_bytes) {
  GrowableArrayCHeap<jlong, mtGC> done;
  for (const H2Tag& tag : *H2Tags::all()) {
    if ((tracer->words() << LogHeapWordSize) >= max_bytes) {
      return;
    }
    if (done.append_if_missing(tag._label)) {
      Roots roots;
      roots_of(tag._label, &roots);
      const size_t words = tracer->trace(roots);
      log_info(gc, h2)("Occupancy: label " JLONG_FORMAT ", %d roots, %zuK", tag._label, roots.length(), (words << LogHeapWordSize) / K);
    }
  }
}

void H2Selector::trace_groups(H2Tracer* tracer, size_t max_bytes) const {
  if (_asked) {
    trace_asked(tracer);
  }
  if (_occupied) {
    trace_oldest(tracer, max_bytes);
    if (H2Auto) {
      H2AutoArrays::trace(tracer);
    }
  }
  if (H2Stress) {
    H2Stresser::trace(tracer);
  }
}
