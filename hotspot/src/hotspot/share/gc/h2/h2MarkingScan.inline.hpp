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

#ifndef SHARE_GC_H2_H2MARKINGSCAN_INLINE_HPP
#define SHARE_GC_H2_H2MARKINGSCAN_INLINE_HPP

#include "gc/h2/h2Cards.inline.hpp"
#include "gc/h2/h2Marking.inline.hpp"
#include "gc/h2/h2References.hpp"
#include "gc/h2/h2RegionQueue.hpp"
#include "gc/h2/h2TargetsKeeper.hpp"

// Marks what backward references point to.
template <typename Worker>
class H2MarkVisitor : public H2CardVisitor<H2MarkVisitor<Worker>> {
  Worker* const   _worker;
  H2Region* const _region;
  size_t          _block;     // the last one that was asked for
  bool            _is_known;  // what it refers to
  bool            _is_kept;   // its list
  H2TargetsKeeper _keeper;

 public:
  H2MarkVisitor(Worker* worker, H2Region* region) :
    _worker(worker), _region(region), _block(SIZE_MAX), _is_known(false), _is_kept(false), _keeper() {}

  static constexpr bool keeps_targets() { return true; }
  void at(HeapWord* from, HeapWord* to) { _keeper.at(from, to); }

  // Of a block with a list, only dirty cards are read.
  bool skips(HeapWord* card) {
    const size_t block = H2Shapes::block(card);
    if (block != _block) {
      _block = block;
      _is_known = H2Targets::are_known(block);
      _is_kept = H2Targets::has_places(block);
      if (_is_known) {
        H2Targets::each(block, [&](oop target) { _worker->mark_target(target); });
      } else if (_is_kept) {
        _keeper.expect(block);
      }
    }
    return _is_known || (_is_kept && *H2Heap::cards()->byte_for(card) != CardTable::dirty_card_val());
  }

  // Cards that were not read have targets, too.
  void finish() {
    _keeper.finish([&](const H2Targets::References& references) {
      for (const H2Targets::Reference& reference : references) {
        _worker->mark_target(cast_to_oop(reference._target));
      }
    });
  }

  static bool wants(H2Cards::CardValue v) {
    if (v == CardTable::dirty_card_val()) {
      H2References::note_write();
    }
    return v != CardTable::clean_card_val();
  }

  template <typename T>
  uint visit_h2(T* p, oop obj) {
    if (H2Returner::redirect(p, &obj)) {
      return visit_h1(p, obj);
    }
    // The program has written this since the last GC: the region does not know of the dependency yet.
    const uint target = H2Heap::regions()->head_index(obj);
    if (_region->refer_to(target)) {
      H2Marking::mark_region(target);
    }
    return H2Cards::None;
  }

  template <typename T>
  uint visit_h1(T* p, oop obj) {
    _keeper.found(p, obj);
    _worker->mark_and_push(p);
    return H2Cards::Old;
  }
};

template <typename Worker>
void H2Marking::scan(uint index, Worker* worker) {
  if (H2Liveness::is_looking()) {
    // Each object that can be reached is followed by itself, and keeps its class loader.
    return;
  }
  H2Region* const region = H2Heap::regions()->at(index);
  for (ClassLoaderData* loader : *region->loaders()) {
    worker->keep(loader);
  }
  for (uint dependency : *region->dependencies()) {
    mark_region(dependency);
  }
  H2MarkVisitor<Worker> visitor(worker, region);
  H2Cards::scan(region, &visitor);
  visitor.finish();
}

template <typename Worker>
bool H2Marking::scan_pending_region(Worker* worker) {
  uint index;
  if (_pending == nullptr || !_pending->pop(&index)) {
    return false;
  }
  scan(index, worker);
  return true;
}

#endif // SHARE_GC_H2_H2MARKINGSCAN_INLINE_HPP
