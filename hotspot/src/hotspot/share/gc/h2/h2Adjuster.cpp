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

#include "gc/h2/h2Adjuster.hpp"
#include "gc/h2/h2Cards.inline.hpp"
#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/h2/h2RegionClaimer.inline.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Targets.hpp"
#include "gc/shared/fullGCForwarding.inline.hpp"

class H2AdjustVisitor : public H2CardVisitor<H2AdjustVisitor> {
  struct Reference {
    size_t    _block;    // of the card that remembers it
    HeapWord* _target;   // in H1, at its new place
  };

  // A run may be one array.
  static const int MostReferences = 64 * 1024;

  H2Region* const                     _region;
  size_t                              _block;        // the last one that was asked for
  bool                                _holds_still;
  size_t                              _noted_to;     // the first of which no reference was noted
  HeapWord*                           _place;
  GrowableArrayCHeap<Reference, mtGC> _references;   // that were read

  // Whether nothing moves to which the block refers.
  static bool holds_still(size_t block) {
    if (!H2Targets::are_known(block)) {
      return false;
    }
    bool moves = false;
    H2Targets::each(block, [&](oop target) { moves = moves || FullGCForwarding::is_forwarded(target); });
    if (moves) {
      H2Targets::forget(block);
    }
    return !moves;
  }

  void note_targets(size_t block, GrowableArrayCHeap<HeapWord*, mtGC>* targets) const {
    if (block < _noted_to || H2Targets::are_known(block)) {
      // Not all: a card of the block after it had an instance read that begins here.
      H2Targets::forget(block);
    } else {
      H2Targets::set(block, targets);
    }
    targets->clear();
  }

 public:
  explicit H2AdjustVisitor(H2Region* region) :
    _region(region), _block(SIZE_MAX), _holds_still(false), _noted_to(0), _place(nullptr), _references() {}

  // Marking has seen before what the program wrote.
  static bool is_news(H2Cards::CardValue v) { return false; }

  bool skips(HeapWord* card) {
    const size_t block = H2Shapes::block(card);
    if (block != _block) {
      _block = block;
      if (_references.length() >= MostReferences) {
        finish();
        _noted_to = block;
      }
      _holds_still = holds_still(block);
    }
    return _holds_still;
  }

  void at(HeapWord* place) { _place = place; }

  template <typename T>
  uint visit_h1(T* p, oop obj) {
    if (FullGCForwarding::is_forwarded(obj)) {
      obj = FullGCForwarding::forwardee(obj);
      RawAccess<IS_NOT_NULL>::oop_store(p, obj);
      if (H2Heap::contains(obj)) {
        // The target moves to H2 in this GC. An instance that begins before the card is in another unit's shape.
        H2Shapes::note_stale(p);
        H2Shapes::note_stale(H2Heap::starts()->block_start_reaching_into_card((HeapWord*)p));
        _region->refer_to(H2Heap::regions()->head_index(obj));
        return H2Cards::None;
      }
    }
    _references.append(Reference{H2Shapes::block(_place), cast_from_oop<HeapWord*>(obj)});
    return H2Cards::classify(obj);
  }

  // The cards that were scanned are as they will be. An instance of an earlier block may still come, and ends what is known of it.
  void finish() {
    _references.sort([](Reference* a, Reference* b) { return a->_block < b->_block ? -1 : a->_block > b->_block ? 1 : 0; });
    GrowableArrayCHeap<HeapWord*, mtGC> targets;
    for (int i = 0; i < _references.length(); i++) {
      targets.append(_references.at(i)._target);
      if (i + 1 == _references.length() || _references.at(i + 1)._block != _references.at(i)._block) {
        note_targets(_references.at(i)._block, &targets);
      }
    }
    _references.clear();
  }
};

void H2Adjuster::work() {
  _claimer.each([](H2Region* region) {
    if (!region->is_returning()) {
      H2AdjustVisitor visitor(region);
      H2Cards::scan(region, &visitor);
      visitor.finish();
    }
  });
}
