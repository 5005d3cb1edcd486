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
#include "gc/h2/h2Unstored.hpp"

double H2Unstored::_raw_part = 0;
double H2Unstored::_cost = 1;

size_t H2Unstored::bytes(const H2EngineStats& engine) {
  const size_t used = H2Heap::used();
  return used - MIN2(used, (size_t)engine.orig_data_size);
}

size_t H2Unstored::raw_bytes(const H2EngineStats& engine) {
  return (size_t)(_raw_part * (double)bytes(engine));
}

void H2Unstored::will_move(size_t bytes, double raw_part, double cost, const H2EngineStats& engine) {
  const double before = (double)H2Unstored::bytes(engine);
  const double part = (double)bytes / (before + (double)bytes);
  _raw_part += (raw_part - _raw_part) * part;
  _cost += (cost - _cost) * part;
}
