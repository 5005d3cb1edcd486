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
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2HotLabels.hpp"
#include "gc/h2/h2LabelUse.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/h2/h2Tracer.hpp"
#include "logging/log.hpp"
#include "memory/resourceArea.hpp"

uint64_t H2HotLabels::_compressed_again = 0;

// Less than this is not worth a look.
static const size_t LeastBytes = M;

bool H2HotLabels::is_hot(const H2LabelUse& use, size_t compressed_again) {
  const size_t written = use._census._written;
  return use._label != H2Tracer::SharedLabel && !H2Tags::is_requested(use._label) && written >= LeastBytes && written >= use._census._resident / 4 * 3 && use._bytes <= compressed_again;
}

bool H2HotLabels::find(jlong* label) {
  H2EngineStats engine;
  if (!H2Heap::backend()->stats(&engine)) {
    return false;
  }
  const size_t compressed_again = (engine.evicted_dirty - _compressed_again) * H2Heap::backend()->unit_bytes();
  _compressed_again = engine.evicted_dirty;
  if (compressed_again < LeastBytes) {
    return false;
  }
  ResourceMark rm;
  GrowableArray<H2LabelUse> uses;
  H2LabelUse::collect(&uses);
  size_t most = 0;
  for (const H2LabelUse& use : uses) {
    log_debug(gc, h2)("Label " JLONG_FORMAT ": %zuK, resident %zuK, written %zuK; compressed again, of all labels: %zuK", use._label,
                      use._bytes / K, use._census._resident / K, use._census._written / K, compressed_again / K);
    if (is_hot(use, compressed_again) && use._census._written > most) {
      *label = use._label;
      most = use._census._written;
    }
  }
  return most > 0;
}
