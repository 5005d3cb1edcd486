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
#include "gc/h2/h2Patcher.hpp"
#include "gc/h2/h2RegionClaimer.inline.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Targets.hpp"
#include "gc/shared/fullGCForwarding.inline.hpp"
#include "logging/log.hpp"
#include "runtime/atomic.hpp"

// Adjusts what is known of a block, by the places of its references. So nobody reads it.
class H2KnownAdjuster : public StackObj {
  H2Region* const                  _region;
  H2Adjusted* const                _adjusted;
  H2Patcher                        _patcher;
  H2Targets::References            _references;
  H2Targets::References            _later;       // those to H1, as they are when this full GC ends
  GrowableArrayCHeap<size_t, mtGC> _corrected;   // blocks

  static HeapWord* place_later(HeapWord* target) {
    const oop obj = cast_to_oop(target);
    return FullGCForwarding::is_forwarded(obj) ? cast_from_oop<HeapWord*>(FullGCForwarding::forwardee(obj)) : target;
  }

  static int compare(const size_t& a, const size_t& b) { return a < b ? -1 : a > b ? 1 : 0; }

  // A card of a reference to a young object is dirty, and it has to be found.
  static bool gets_young(const H2Targets::References& references) {
    for (const H2Targets::Reference& reference : references) {
      const oop later = cast_to_oop(place_later(reference._target));
      if (!H2Heap::contains(later) && H2Collectors::is_young(later)) {
        return true;
      }
    }
    return false;
  }

  void change(const H2Targets::Reference& reference) {
    HeapWord* const later = place_later(reference._target);
    if (later != reference._target) {
      _patcher.change(reference._place, cast_to_oop(reference._target), cast_to_oop(later));
    }
    if (H2Heap::contains(cast_to_oop(later))) {
      _region->refer_to(H2Heap::regions()->head_index(later));
    } else {
      _later.append(H2Targets::Reference{reference._place, later});
    }
  }

 public:
  H2KnownAdjuster(H2Region* region, H2Adjusted* adjusted) :
    _region(region), _adjusted(adjusted), _patcher(), _references(), _later(), _corrected() {}

  // False if the block has to be read.
  bool adjust(size_t block) {
    if (!H2Targets::has_places(block)) {
      return false;
    }
    _references.clear();
    H2Targets::references(block, &_references);
    if (gets_young(_references)) {
      return false;
    }
    _later.clear();
    for (const H2Targets::Reference& reference : _references) {
      change(reference);
    }
    _patcher.flush();
    if (_later.length() < _references.length()) {
      // A shape has what an object refers to in H2.
      H2Shapes::note_stale(H2Shapes::address(block));
    }
    H2Targets::set(block, _later);
    _corrected.append(block);
    return true;
  }

  // Its references are as they will be. An instance in it may reach into a block that is read.
  bool has_corrected(size_t block) const {
    bool found;
    _corrected.find_sorted<size_t, compare>(block, found);
    return found;
  }

  ~H2KnownAdjuster() {
    Atomic::add(&_adjusted->_corrected, (size_t)_corrected.length());
    Atomic::add(&_adjusted->_patched, _patcher.patched());
  }
};

class H2AdjustVisitor : public H2CardVisitor<H2AdjustVisitor> {
  struct Reference {
    size_t               _block;   // of the card that remembers it
    H2Targets::Reference _what;    // with the target's new place
  };

  // A run may be one array.
  static const int MostReferences = 64 * 1024;

  H2Region* const                     _region;
  H2Adjusted* const                   _adjusted;
  size_t                              _block;        // the last one that was asked for
  bool                                _skips;
  size_t                              _noted_to;     // the first of which no reference was noted
  HeapWord*                           _place;
  GrowableArrayCHeap<Reference, mtGC> _references;   // that were read
  H2KnownAdjuster                     _known;

  // A card of a reference to a young object is dirty when this ends, and marking has left it old.
  static bool holds_still(size_t block) {
    bool moves = false;
    H2Targets::each(block, [&](oop target) {
      moves = moves || FullGCForwarding::is_forwarded(target) || H2Collectors::is_young(target);
    });
    return !moves;
  }

  static int compare(Reference* a, Reference* b) {
    if (a->_block != b->_block) {
      return a->_block < b->_block ? -1 : 1;
    }
    return H2Targets::compare(&a->_what, &b->_what);
  }

  // Whether the block's references are right already.
  bool is_adjusted(size_t block) {
    if (H2Targets::are_known(block)) {
      if (holds_still(block)) {
        Atomic::inc(&_adjusted->_still);
        return true;
      }
      if (_known.adjust(block)) {
        return true;
      }
      H2Targets::forget(block);
    }
    Atomic::inc(&_adjusted->_read);
    return false;
  }

  void note_targets(size_t block, const H2Targets::References& references) const {
    if (block < _noted_to || H2Targets::are_known(block)) {
      // Not all: a card of the block after it had an instance read that begins here.
      H2Targets::forget(block);
    } else {
      H2Targets::set(block, references);
    }
  }

 public:
  H2AdjustVisitor(H2Region* region, H2Adjusted* adjusted) :
    _region(region), _adjusted(adjusted), _block(SIZE_MAX), _skips(false), _noted_to(0), _place(nullptr), _references(),
    _known(region, adjusted) {}

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
      _skips = is_adjusted(block);
    }
    return _skips;
  }

  void at(HeapWord* from, HeapWord* to) { _place = from; }

  template <typename T>
  uint visit_h1(T* p, oop obj) {
    const size_t block = H2Shapes::block(_place);
    if (block < _block && (H2Targets::are_known(block) || _known.has_corrected(block))) {
      // An instance reaches into the block that is read, and its references are right.
      return H2Cards::classify(obj);
    }
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
    _references.append(Reference{block, H2Targets::Reference{(char*)p, cast_from_oop<HeapWord*>(obj)}});
    return H2Cards::classify(obj);
  }

  // The cards that were scanned are as they will be. An instance of an earlier block may still come, and ends what is known of it.
  void finish() {
    _references.sort(compare);
    H2Targets::References of_block;
    for (int i = 0; i < _references.length(); i++) {
      of_block.append(_references.at(i)._what);
      if (i + 1 == _references.length() || _references.at(i + 1)._block != _references.at(i)._block) {
        note_targets(_references.at(i)._block, of_block);
        of_block.clear();
      }
    }
    _references.clear();
  }
};

H2Adjuster::~H2Adjuster() {
  log_debug(gc, h2)("Backward references of %zu blocks hold still, those of %zu were corrected (%zu references where they are not in "
                    "memory), and %zu blocks were read. Lists of them take %zuK",
                    _adjusted._still, _adjusted._corrected, _adjusted._patched, _adjusted._read, H2Targets::bytes() / K);
}

void H2Adjuster::work() {
  _claimer.each([this](H2Region* region) {
    if (!region->is_returning()) {
      H2AdjustVisitor visitor(region, &_adjusted);
      H2Cards::scan(region, &visitor);
      visitor.finish();
    }
  });
}
