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

#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Forecast.hpp"
#include "gc/h2/h2Heap.hpp"

size_t H2Forecast::_eden_free = 0;
size_t H2Forecast::_needed = 0;
bool   H2Forecast::_is_gc_far = false;

// The next GC is far off if the free part of eden lasts for so many looks, as fast as eden
// filled since the last one.
static const size_t LeastLooks = 4;

// A program that hardly allocates may begin to, so a part of eden has to be free in any case.
static const size_t LeastPart = 4;

void H2Forecast::look() {
  const H2HeapUse h1 = H2Heap::collector()->use();
  const size_t free = h1._eden_free;
  const size_t filled = _eden_free - MIN2(_eden_free, free);
  _needed = MAX2(LeastLooks * filled, h1._eden_capacity / LeastPart);
  _is_gc_far = _is_gc_far || (_eden_free > 0 && free > _needed);
  _eden_free = free;
}

void H2Forecast::expect_gc() {
  _is_gc_far = false;
  _eden_free = 0;
}

bool H2Forecast::gc_started() {
  const bool was_far = _is_gc_far;
  expect_gc();
  return was_far;
}
