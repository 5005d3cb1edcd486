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
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Director.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2PerfData.hpp"
#include "gc/h2/h2Strings.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/h2/h2Verifier.hpp"
#include "gc/h2/h2Written.hpp"
#include "gc/h2/h2YoungGC.hpp"

H2RegionClaimer H2YoungGC::_claimer;

void H2YoungGC::prepare() {
  _claimer.reset();
  H2Budget::prepare_young();
  H2Written::note();
}

void H2YoungGC::finish() {
  if (H2Heap::is_enabled()) {
    H2Tags::prune_if_grown();
    H2Strings::prune_if_grown();
    H2Heap::collector()->young_finished();
    H2Budget::give_back_young();
    H2Budget::measure();
    H2Budget::share();
    H2Director::young_finished();
    H2Heap::backend()->epoch();
    H2PerfData::update();
    H2Verifier::verify("young");
  }
}
