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

#include "gc/h2/h2YoungGC.inline.hpp"
#include "gc/h2/parallel/h2Parallel.hpp"
#include "gc/parallel/psPromotionManager.inline.hpp"

class H2PromotionWorker : public StackObj {
  PSPromotionManager* const _pm;

 public:
  explicit H2PromotionWorker(PSPromotionManager* pm) : _pm(pm) {}

  oop promote(oop obj) { return _pm->copy_to_survivor_space</*promote_immediately=*/true>(obj); }
  void drain()         { _pm->drain_stacks(false); }
};

void H2Parallel::scan_young_roots(PSPromotionManager* pm) {
  H2PromotionWorker worker(pm);
  H2YoungGC::scan_roots(&worker);
}
