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

#include "classfile/classLoaderData.inline.hpp"
#include "gc/h2/h2Cards.inline.hpp"
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Collectors.inline.hpp"
#include "gc/h2/h2Fields.inline.hpp"
#include "gc/h2/h2Reached.inline.hpp"
#include "gc/h2/h2RegionClaimer.inline.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Returner.inline.hpp"
#include "gc/h2/h2ShapeVerifier.hpp"
#include "gc/h2/h2Targets.hpp"
#include "gc/h2/h2Verifier.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/gcTraceTime.inline.hpp"
#include "gc/shared/gc_globals.hpp"
#include "gc/shared/workerThread.hpp"
#include "memory/iterator.inline.hpp"
#include "memory/metaspace.hpp"
#include "memory/resourceArea.hpp"
#include "memory/universe.hpp"
#include "runtime/atomic.hpp"

// The list of a block, unpacked. Objects of one block come one after the other.
class H2VerifyKnown : public StackObj {
  size_t                _block;
  H2Targets::References _references;

  static int compare(char* const& place, const H2Targets::Reference& reference) {
    return place < reference._place ? -1 : place > reference._place ? 1 : 0;
  }

 public:
  H2VerifyKnown() : _block(SIZE_MAX), _references() {}

  const H2Targets::References& of(size_t block) {
    if (block != _block) {
      _block = block;
      _references.clear();
      H2Targets::references(block, &_references);
    }
    return _references;
  }

  bool has(size_t block, char* place, oop target) {
    bool found;
    const int i = of(block).find_sorted<char*, compare>(place, found);
    return found && _references.at(i)._target == cast_from_oop<HeapWord*>(target);
  }
};

// The references of one object of H2.
class H2VerifyReferences : public StackObj {
  const char* const    _when;
  H2Region* const      _region;
  H2VerifyKnown* const _known;
  HeapWord* const      _object;
  const bool           _is_array;

  typedef H2Cards::CardValue CardValue;

  // The more demanding of the cards that the reference may count for.
  bool has_card(void* field, bool must_be_dirty) const {
    const CardValue own = *H2Heap::cards()->byte_for(field);
    const CardValue home = _is_array ? own : *H2Heap::cards()->byte_for(_object);
    if (must_be_dirty) {
      return own == CardTable::dirty_card_val() || home == CardTable::dirty_card_val();
    }
    return own != CardTable::clean_card_val() || home != CardTable::clean_card_val();
  }

  void verify_h2_target(void* field, oop target) const {
    H2RegionTable* const regions = H2Heap::regions();
    HeapWord* const address = cast_from_oop<HeapWord*>(target);
    guarantee(is_aligned(address, MinObjAlignmentInBytes) && regions->is_allocated(address),
              "H2Verify after %s GC: " PTR_FORMAT " of " PTR_FORMAT " (%s) points to unallocated H2 " PTR_FORMAT,
              _when, p2i(field), p2i(_object), class_name(), p2i(address));
    guarantee(H2ShapeVerifier::is_object_start(address),
              "H2Verify after %s GC: " PTR_FORMAT " of " PTR_FORMAT " (%s) points into the middle of an object: " PTR_FORMAT,
              _when, p2i(field), p2i(_object), class_name(), p2i(address));
    const uint other = regions->head_index(address);
    guarantee(other == _region->head() || _region->depends_on(other) || has_card(field, true),
              "H2Verify after %s GC: " PTR_FORMAT " of " PTR_FORMAT " (%s), region %u, refers to region %u without a dependency",
              _when, p2i(field), p2i(_object), class_name(), _region->head(), other);
  }

  void verify_backward_reference(void* field, oop target) const {
    guarantee(Universe::heap()->is_in(target) && oopDesc::is_oop(target),
              "H2Verify after %s GC: " PTR_FORMAT " of " PTR_FORMAT " (%s) points to no object: " PTR_FORMAT,
              _when, p2i(field), p2i(_object), class_name(), p2i(target));
    guarantee(has_card(field, H2Collectors::is_young(target)),
              "H2Verify after %s GC: " PTR_FORMAT " of " PTR_FORMAT " (%s), in region %u, refers to " PTR_FORMAT " (%s) without a card",
              _when, p2i(field), p2i(_object), class_name(), _region->head(), p2i(target),
              H2Collectors::is_young(target) ? "young" : "old");
    const size_t block = H2Shapes::block(_is_array ? (HeapWord*)field : _object);
    guarantee(!H2Targets::are_known(block) || is_target(block, field, target),
              "H2Verify after %s GC: " PTR_FORMAT " of " PTR_FORMAT " (%s) refers to " PTR_FORMAT ", of which the block's targets do not tell",
              _when, p2i(field), p2i(_object), class_name(), p2i(target));
  }

  bool is_target(size_t block, void* field, oop obj) const {
    if (H2Targets::has_places(block)) {
      return _known->has(block, (char*)field, obj);
    }
    bool found = false;
    H2Targets::each(block, [&](oop target) { found = found || target == obj; });
    return found;
  }

  const char* class_name() const { return cast_to_oop(_object)->klass()->external_name(); }

 public:
  H2VerifyReferences(const char* when, H2Region* region, H2VerifyKnown* known, oop obj) :
    _when(when), _region(region), _known(known), _object(cast_from_oop<HeapWord*>(obj)), _is_array(obj->is_objArray()) {}

  void verify(void* p, oop target) const {
    if (H2Heap::contains(target)) {
      verify_h2_target(p, target);
    } else {
      verify_backward_reference(p, target);
    }
  }
};

class H2VerifyTask : public WorkerTask {
  const char* const _when;
  volatile uint     _next;

  // Each region on which a region depends is there, and one that is not in use keeps nothing alive.
  void verify_lists(const H2Region* region) const {
    if (!region->is_in_use()) {
      guarantee(region->dependencies()->is_empty() && region->loaders()->is_empty() && region->roots()->is_empty(),
                "H2Verify after %s GC: region %u is not in use and has lists", _when, region->head());
    }
    for (uint other : *region->dependencies()) {
      guarantee(other != region->head() && H2Heap::regions()->at(other)->is_in_use(),
                "H2Verify after %s GC: region %u depends on region %u", _when, region->head(), other);
    }
    for (const ClassLoaderData* loader : *region->loaders()) {
      guarantee(loader->is_alive(), "H2Verify after %s GC: region %u has an unloaded class loader", _when, region->head());
    }
  }

  static oop load(const char* place) {
    if (!UseCompressedOops) {
      return cast_to_oop(*(const uintptr_t*)place);
    }
    const narrowOop value = *(const narrowOop*)place;
    return CompressedOops::is_null(value) ? (oop)nullptr : CompressedOops::decode_raw(value);
  }

  // References are where the block's list has them.
  void verify_places(const H2Region* region, H2VerifyKnown* unpacked) const {
    const size_t end = H2Shapes::block(region->top());
    for (size_t block = H2Shapes::block(region->bottom()); block < end; block++) {
      if (H2Targets::are_known(block) && H2Targets::has_places(block)) {
        const H2Targets::References& known = unpacked->of(block);
        guarantee(known.is_empty() || H2Targets::has_old_card(block),
                  "H2Verify after %s GC: block " PTR_FORMAT " of region %u refers to H1, and none of its cards remembers that",
                  _when, p2i(H2Shapes::address(block)), region->head());
        for (const H2Targets::Reference& reference : known) {
          guarantee(load(reference._place) == cast_to_oop(reference._target),
                    "H2Verify after %s GC: " PTR_FORMAT ", region %u, refers to " PTR_FORMAT ", and the block's list has " PTR_FORMAT,
                    _when, p2i(reference._place), region->head(), p2i(load(reference._place)), p2i(reference._target));
        }
      }
    }
  }

  HeapWord* verify_object(H2Region* region, H2VerifyKnown* known, HeapWord* p) const {
    oop obj = cast_to_oop(p);
    guarantee(!obj->mark().is_forwarded() && Metaspace::contains(obj->klass_without_asserts()),
              "H2Verify after %s GC: no valid object at " PTR_FORMAT " in region %u", _when, p2i(p), region->head());
    H2VerifyReferences references(_when, region, known, obj);
    h2_iterate_fields(obj, [&](void* field, oop target) { references.verify(field, target); });
    return p + obj->size();
  }

  void verify_objects(H2Region* region, H2VerifyKnown* known) const {
    H2ShapeVerifier shapes(_when, region);
    HeapWord* p = region->bottom();
    while (p < region->top()) {
      const size_t gap = shapes.verify(p);
      p = gap > 0 ? p + gap : verify_object(region, known, p);
    }
    guarantee(p == region->top(), "H2Verify after %s GC: region %u ends at " PTR_FORMAT " instead of " PTR_FORMAT,
              _when, region->head(), p2i(p), p2i(region->top()));
  }

 public:
  explicit H2VerifyTask(const char* when) : WorkerTask("H2 verify"), _when(when), _next(0) {}

  void work(uint worker_id) override {
    ResourceMark rm;
    H2RegionTable* const regions = H2Heap::regions();
    uint index;
    while ((index = Atomic::fetch_then_add(&_next, 1u)) < regions->limit()) {
      H2Region* const region = regions->at(index);
      verify_lists(region);
      if (region->is_in_use()) {
        H2VerifyKnown known;
        verify_objects(region, &known);
        verify_places(region, &known);
      }
    }
  }
};

class H2VerifyReachedTask : public WorkerTask {
  H2RegionClaimer _claimer;

  static void verify(oop obj) {
    h2_iterate_fields(obj, [&](void* field, oop target) {
      if (H2Heap::contains(target) && H2Returner::copy_of(target) == nullptr) {
        guarantee(H2Reached::contains(target), "H2Verify: marking has reached " PTR_FORMAT " (%s), and not " PTR_FORMAT ", to which it refers at " PTR_FORMAT,
                  p2i(obj), obj->klass()->external_name(), p2i(target), p2i(field));
      }
    });
  }

 public:
  H2VerifyReachedTask() : WorkerTask("H2 verify reached"), _claimer() {}

  void work(uint worker_id) override {
    ResourceMark rm;
    _claimer.each([](H2Region* region) {
      if (!region->is_returning()) {
        H2Reached::each(MemRegion(region->bottom(), region->top()), [](oop obj) { verify(obj); });
      }
    });
  }
};

void H2Verifier::verify_reached() {
  if (!H2Verify) {
    return;
  }
  H2VerifyReachedTask task;
  H2Heap::collector()->workers()->run_task(&task);
}

void H2Verifier::verify(const char* when) {
  if (!H2Verify) {
    return;
  }
  GCTraceTime(Debug, gc, phases) tm("H2 Verify");
  H2VerifyTask task(when);
  H2Heap::collector()->workers()->run_task(&task);
}
