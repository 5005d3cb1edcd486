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

#include "gc/h2/h2MarkingScan.inline.hpp"
#include "gc/h2/h2ShapeVisit.inline.hpp"
#include "gc/h2/parallel/h2Parallel.hpp"
#include "gc/parallel/psCompactionManager.inline.hpp"
#include "gc/parallel/psParallelCompact.inline.hpp"

class H2MarkingWorker : public StackObj {
  ParCompactionManager* const _cm;

 public:
  explicit H2MarkingWorker(ParCompactionManager* cm) : _cm(cm) {}

  template <typename T>
  void mark_and_push(T* p) { _cm->mark_and_push(p); }
  void mark_target(oop obj) { _cm->mark_and_push(&obj); }
  void push(oop obj)       { _cm->push(obj); }
  void refer(H2Region* from, uint to) {
    from->refer_to(to);
    H2Marking::mark_region(to);
  }
  // Without a discoverer a referent is marked, too: the part may be a Reference in H2, which the collector must not discover.
  void follow_part(oop obj, MemRegion part) {
    PCMarkAndPushClosure mark(_cm, nullptr);
    obj->oop_iterate(&mark, part);
  }
  void keep(ClassLoaderData* loader) {
    PCMarkAndPushClosure mark(_cm, PSParallelCompact::ref_processor());
    mark.do_cld(loader);
  }
};

bool H2Parallel::scan_pending_region(ParCompactionManager* cm) {
  H2MarkingWorker worker(cm);
  return H2Marking::scan_pending_region(&worker) || H2ShapeMarking::queue_some(&worker);
}

bool H2Parallel::follow(oop obj, ParCompactionManager* cm) {
  H2MarkingWorker worker(cm);
  return H2ShapeMarking::follow(obj, &worker);
}
