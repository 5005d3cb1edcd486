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

#ifndef SHARE_GC_H2_H2YOUNGGC_INLINE_HPP
#define SHARE_GC_H2_H2YOUNGGC_INLINE_HPP

#include "gc/h2/h2YoungGC.hpp"

#include "gc/h2/h2Cards.inline.hpp"
#include "gc/h2/h2Collectors.inline.hpp"
#include "gc/h2/h2References.hpp"
#include "gc/h2/h2RegionClaimer.inline.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2TargetsKeeper.hpp"

template <typename Worker>
class H2YoungVisitor : public H2CardVisitor<H2YoungVisitor<Worker>> {
  Worker* const   _worker;
  H2Region* const _region;
  H2TargetsKeeper _keeper;

  // Groups in H2 live long, and so does most of what they refer to. If it stayed young, each
  // young GC would read the card again, and that may fault on a page nobody else wants.
  template <typename T>
  uint promote(T* p, oop obj) {
    obj = _worker->promote(obj);
    RawAccess<IS_NOT_NULL>::oop_store(p, obj);
    // It is still young if its copy existed already, or the old generation is full. Then the card stays dirty.
    _keeper.found(p, obj);
    return H2Cards::classify(obj);
  }

 public:
  static bool wants(H2Cards::CardValue v) {
    if (v == CardTable::dirty_card_val()) {
      H2References::note_write();
      return true;
    }
    return false;
  }

  H2YoungVisitor(Worker* worker, H2Region* region) : _worker(worker), _region(region), _keeper() {}

  static constexpr bool keeps_targets()   { return true; }
  void at(HeapWord* from, HeapWord* to)   { _keeper.at(from, to); }
  void finish()                           { _keeper.finish([](const H2Targets::References&) {}); }

  template <typename T>
  uint visit_h2(T* p, oop obj) {
    _region->refer_to(H2Heap::regions()->head_index(obj));
    return H2Cards::None;
  }

  template <typename T>
  uint visit_h1(T* p, oop obj) {
    if (!H2Collectors::is_young(obj)) {
      _keeper.found(p, obj);
      return H2Cards::Old;
    }
    return promote(p, obj) | H2Cards::Written;
  }
};

template <typename Worker>
void H2YoungGC::scan_roots(Worker* worker) {
  if (!H2Heap::is_enabled()) {
    return;
  }
  _claimer.each([=](H2Region* region) {
    H2YoungVisitor<Worker> visitor(worker, region);
    H2Cards::scan(region, &visitor);
    visitor.finish();
    worker->drain();
  });
}

#endif // SHARE_GC_H2_H2YOUNGGC_INLINE_HPP
