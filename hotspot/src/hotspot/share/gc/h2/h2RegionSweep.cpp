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

#include "classfile/classLoaderData.hpp"
#include "gc/h2/h2Allocator.hpp"
#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Cards.inline.hpp"
#include "gc/h2/h2Fields.inline.hpp"
#include "gc/h2/h2Filler.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2HotObjects.hpp"
#include "gc/h2/h2ObjectBits.inline.hpp"
#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/h2/h2Referents.hpp"
#include "gc/h2/h2RegionSweep.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2ShapeMarking.hpp"
#include "gc/h2/h2SweepResult.hpp"
#include "gc/h2/h2Targets.hpp"
#include "gc/shared/cardTable.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/safepoint.hpp"
#include "utilities/align.hpp"

H2RegionSweep::H2RegionSweep(const H2ObjectBits& reached, H2SweepResult* result, H2Region* region) :
  _reached(reached), _result(result), _region(region), _maker(), _taken(), _end(region->bottom()), _array(nullptr),
  _free(), _loader(nullptr), _before(), _targets() {}

// An object that lives: what lies before it is free.
void H2RegionSweep::live(HeapWord* p, size_t words, ClassLoaderData* loader) {
  if (_end < p) {
    clean(_end, p);
  }
  _end = p + words;
  _array = nullptr;
  _free = Free();
  if (loader != nullptr && loader != _loader) {
    _loader = loader;
    _region->add_loader(loader);
  }
  _result->add_live(_region, p, words);
}

void H2RegionSweep::add_free(const H2ShapeEntry& entry) {
  _free._entries++;
  _free._words = entry._words;
  _free._kind = entry._kind;
}

// Has an earlier look, or a move, left [start, end) like that?
bool H2RegionSweep::is_one_free_entry(HeapWord* start, HeapWord* end) const {
  return _free._entries == 1 && _free._kind >= H2ShapeEntry::Filler && _free._words == pointer_delta(end, start);
}

// Where objects begin stays true in a shape that is stale.
bool H2RegionSweep::all_live(size_t block) const {
  return (H2Shapes::flags(block) & H2Shapes::Whole) != 0 &&
         _reached.count(MemRegion(H2Shapes::address(block), H2Shapes::block_words())) == H2Shapes::objects(block);
}

// The row before ends where the first object of the block begins, if the last that was met lives. Where there was no memory to note
// that a shape is missing, something dead may lie between them.
bool H2RegionSweep::lives_whole(size_t block) const {
  return _free._entries == 0 && !H2Shapes::is_stale(block) && !_region->is_shared() && all_live(block) &&
         H2Shapes::block(_end) == block && _reached.contains(cast_to_oop(_end));
}

void H2RegionSweep::pass(size_t block) {
  live(_end, H2Shapes::object_words(block), nullptr);
}

// Free space at either end of a block may be a part of something larger.
bool H2RegionSweep::has_changed(size_t block) const {
  H2ShapeReader reader = H2Shapes::reader(block);
  if (reader.carried() > 0 && !covers_start_of(block)) {
    return true;
  }
  HeapWord* p = H2Shapes::first_entry(block, &reader);
  bool is_free = _end < p;
  if (is_free && reader.first() > 0) {
    // Something dead reaches into the block, and its rest gets an entry here if the regions before are given back.
    return true;
  }
  H2ShapeEntry entry;
  while (reader.next(&entry)) {
    reader.skip(entry._references);
    if (entry.is_object() ? !_reached.contains(cast_to_oop(p)) : is_free) {
      return true;
    }
    p += entry._words;
    is_free = !entry.is_object();
  }
  return is_free;
}

void H2RegionSweep::keep(size_t block) {
  H2ShapeReader reader = H2Shapes::reader(block);
  HeapWord* p = H2Shapes::first_entry(block, &reader);
  H2ShapeEntry entry;
  while (reader.next(&entry)) {
    reader.skip(entry._references);
    if (entry.is_object()) {
      live(p, entry._words, entry._loader == 0 ? nullptr : (ClassLoaderData*)reader.loader(entry._loader));
      _array = entry._kind == H2ShapeEntry::Spanning ? cast_to_oop(p) : nullptr;
    } else {
      // It lies between two objects that live.
      _end = p + entry._words;
    }
    p += entry._words;
  }
}

void H2RegionSweep::change_object(H2ShapeReader* reader, const H2ShapeEntry& entry, HeapWord* p, size_t block, bool has_referents) {
  ClassLoaderData* const loader = entry._loader == 0 ? nullptr : (ClassLoaderData*)reader->loader(entry._loader);
  const bool spans = entry._kind == H2ShapeEntry::Spanning;
  const bool reaches = !spans && reader->reach() > 0 && p + entry._words > H2Shapes::address(block + 1);
  live(p, entry._words, loader);
  _maker.begin(p, entry._words, spans ? H2ShapeMaker::ReferenceArray : reaches ? H2ShapeMaker::Instance : H2ShapeMaker::Leaf, loader);
  for (uint64_t i = 0; i < entry._references; i++) {
    _maker.add(H2Shapes::at_word(reader->reference()));
    if (i == 0) {
      _maker.set_referent(entry._referent);
    }
  }
  if (has_referents) {
    _maker.note_reference();
  }
  if (spans) {
    _array = cast_to_oop(p);
  }
}

// An object from here to there lives. Of what is known, the first `known` references have been looked at.
void H2RegionSweep::keep_targets(HeapWord* from, HeapWord* to, int* known) {
  for (; *known < _before.length() && _before.at(*known)._place < (char*)to; (*known)++) {
    if (_before.at(*known)._place >= (char*)from) {
      _targets.append(_before.at(*known));
    }
  }
}

void H2RegionSweep::change(size_t block) {
  _before.clear();
  _targets.clear();
  const bool keeps_targets = H2Targets::has_places(block);
  if (keeps_targets) {
    H2Targets::references(block, &_before);
  }
  int known = 0;
  const bool has_referents = H2Shapes::has_referents(block);
  H2ShapeReader reader = H2Shapes::take(block, &_taken);
  if (reader.carried() > 0 && covers_start_of(block)) {
    _maker.carry(H2Shapes::address(block));
    for (uint64_t i = 0; i < reader.carried(); i++) {
      _maker.add(H2Shapes::at_word(reader.reference()));
    }
  } else {
    reader.skip(reader.carried());
  }
  // An array's elements in the block.
  keep_targets(H2Shapes::address(block), MIN2(_end, H2Shapes::address(block + 1)), &known);
  reader.begin_entries();
  HeapWord* p = H2Shapes::address(block) + reader.first();
  H2ShapeEntry entry;
  while (reader.next(&entry)) {
    if (entry.is_object() && _reached.contains(cast_to_oop(p))) {
      change_object(&reader, entry, p, block, has_referents);
      keep_targets(p, p + entry._words, &known);
    } else {
      reader.skip(entry._references);
      add_free(entry);
    }
    p += entry._words;
  }
  if (keeps_targets) {
    H2Targets::set(block, _targets);
  } else {
    H2Targets::forget(block);
  }
}

void H2RegionSweep::add_referent(oop obj) {
  const H2ShapeEntry::Referent kind = H2Referents::kind(obj->klass());
  if (kind == H2ShapeEntry::NoReferent) {
    return;
  }
  _maker.note_reference();
  const oop referent = H2Referents::referent(obj);
  if (referent == nullptr) {
    return;
  }
  if (H2Heap::contains(referent)) {
    _maker.add(cast_from_oop<HeapWord*>(referent));
    _maker.set_referent(kind);
  } else {
    add_target(obj, H2Referents::field(obj), referent);
  }
}

// The card remembers it for which it counts: then a block whose cards are clean has no reference to H1.
void H2RegionSweep::add_target(oop obj, void* p, oop target) {
  H2Cards::raise(H2Heap::cards()->byte_for(obj->is_objArray() ? p : cast_from_oop<void*>(obj)), H2Cards::Old);
  _targets.append(H2Targets::Reference{(char*)p, cast_from_oop<HeapWord*>(target)});
}

// Tells the shape what all of an object, or a part of an array, refers to in H2, and keeps what it refers to in H1.
void H2RegionSweep::add_references(oop obj, MemRegion part) {
  const auto add = [&](void* p, oop target) {
    if (H2Heap::contains(target)) {
      _maker.add(cast_from_oop<HeapWord*>(target));
    } else {
      add_target(obj, p, target);
    }
  };
  if (part.is_empty()) {
    add_referent(obj);
    h2_iterate_strong_fields(obj, add);
  } else {
    h2_iterate_fields(obj, part, add);
  }
}

void H2RegionSweep::read_object(oop obj, HeapWord* block_end) {
  HeapWord* const p = cast_from_oop<HeapWord*>(obj);
  const size_t words = obj->size();
  ClassLoaderData* const loader = obj->klass()->class_loader_data();
  const bool is_array = obj->is_objArray();
  live(p, words, loader);
  _maker.begin(p, words, is_array ? H2ShapeMaker::ReferenceArray : obj->is_typeArray() ? H2ShapeMaker::Leaf : H2ShapeMaker::Instance, loader);
  if (is_array && p + words > block_end) {
    add_references(obj, MemRegion(p, block_end));
    _array = obj;
  } else {
    add_references(obj);
  }
}

void H2RegionSweep::read(size_t block) {
  HeapWord* const from = H2Shapes::address(block);
  HeapWord* const to = H2Shapes::address(block + 1);
  const bool begins_something = H2Shapes::has_shape(block) || H2Shapes::is_missing(block);
  _targets.clear();
  H2Shapes::drop(block);
  if (_array != nullptr && covers_start_of(block)) {
    _maker.carry(from);
    add_references(_array, MemRegion(from, MIN2(to, _end)));
  }
  // Nothing is known of what lies between live objects.
  const H2ShapeEntry unknown = { 0, 0, 0, H2ShapeEntry::Object, H2ShapeEntry::NoReferent };
  if (begins_something) {
    add_free(unknown);
  }
  _reached.iterate(MemRegion(from, to), [&](oop obj) {
    add_free(unknown);
    read_object(obj, to);
    add_free(unknown);
  });
  _targets.sort(H2Targets::compare);
  H2Targets::renew(block, _targets);
}

// The program stands still since marking chose how to follow a block. So what marking has read is what is read here,
// and a shape that marking has followed is not stale,
// unless a reference of the block has changed, to a copy of a hot object.
void H2RegionSweep::sweep_block(size_t block) {
  assert_at_safepoint();
  assert(!H2ShapeMarking::is_shaped(block) || H2HotObjects::is_gathering() || H2Shapes::is_missing(block) ||
           (H2Shapes::has_shape(block) && !H2Shapes::is_stale(block)),
         "marked from another shape");
  if (!H2Shapes::has_shape(block) || H2Shapes::is_stale(block)) {
    read(block);
  } else if (lives_whole(block)) {
    pass(block);
  } else if (has_changed(block)) {
    change(block);
  } else {
    keep(block);
  }
}

void H2RegionSweep::discard(HeapWord* start, HeapWord* end) {
  if (start < end) {
    H2Heap::backend()->discard(pointer_delta(start, H2Heap::start(), 1), pointer_delta(end, start, 1));
    _result->add_cleaned(pointer_delta(end, start, 1));
  }
}

// One gap, from the start of an object, or of something that was free before.
void H2RegionSweep::make_gap(HeapWord* start, HeapWord* end) {
  if (start == end) {
    return;
  }
  assert(!H2Shapes::has_shape(H2Shapes::block(start)), "the shape that is kept would be lost");
  if (!is_one_free_entry(start, end)) {
    const size_t unit = H2Heap::backend()->unit_bytes();
    discard(align_up(start, unit), align_down(end, unit));
    H2Heap::starts()->update_for_block(start, end);
  } else if (_free._kind == H2ShapeEntry::Filler) {
    _maker.filler(start, pointer_delta(end, start));
    return;
  }
  _maker.gap(start, pointer_delta(end, start));
}

// One filler, from within a dead object, at the start of a region.
void H2RegionSweep::fill(HeapWord* start, HeapWord* end) {
  if (start < end) {
    const size_t unit = H2Heap::backend()->unit_bytes();
    discard(align_up(start, unit), align_down(end, unit));
    H2Filler::fill(start, end);
    assert(!H2Shapes::has_shape(H2Shapes::block(start)), "the shape that is kept would be lost");
    _maker.filler(start, pointer_delta(end, start));
  }
}

static bool can_fill(HeapWord* start, HeapWord* end) {
  return start == end || pointer_delta(end, start) >= CollectedHeap::min_fill_size();
}

// [start, end) lies before a live object, and after one or at the bottom.
void H2RegionSweep::clean(HeapWord* start, HeapWord* end) {
  H2RegionTable* const regions = H2Heap::regions();
  uint first = regions->index(start);
  uint last = regions->index(end);
  while (start > regions->address(first) || !can_fill(start, regions->address(first))) {
    first++;
  }
  if (last > first && !can_fill(regions->address(last), end)) {
    last--;
  }
  if (_result->add_dead_part(_region, first, last)) {
    make_gap(start, regions->address(first));
    // A dead object may reach over that address.
    fill(regions->address(last), end);
  } else {
    make_gap(start, end);
  }
}

// The row of objects ends with the last one that lives.
void H2RegionSweep::clean_tail(HeapWord* start) {
  if (!_result->may_split()) {
    make_gap(start, _region->top());
    return;
  }
  H2RegionTable* const regions = H2Heap::regions();
  HeapWord* const old_top = _region->top();
  HeapWord* const top = H2Allocator::pad_end(start);
  assert(top <= old_top, "the last object's block");
  make_gap(start, top);
  const uint first = regions->index(top - 1) + 1;
  if (top < old_top) {
    // The rest is given back when its regions are freed.
    discard(top, MIN2(old_top, regions->address(first)));
    memset(H2Heap::cards()->byte_for(top), CardTable::clean_card_val(), pointer_delta(old_top, top, 1) >> CardTable::card_shift());
    H2Shapes::drop(MemRegion(top, old_top));
    regions->set_top(_region, top);
    if (_region->is_shared()) {
      _region->parts()->cut(old_top, top);
    }
  }
  _result->add_dead_part(_region, first, _region->head() + _region->run());
}

void H2RegionSweep::sweep() {
  // The sweep notes the loaders of all objects that live.
  _region->forget_loaders();
  if (_region->is_shared()) {
    _region->parts()->begin_look(_region->top());
  }
  const size_t end = H2Shapes::block(_region->top());
  for (size_t block = H2Shapes::block(_region->bottom()); block < end; block++) {
    sweep_block(block);
  }
  assert(_end > _region->bottom(), "nothing lives in region %u", _region->head());
  _region->keep_roots([&](HeapWord* p) { return _reached.contains(cast_to_oop(p)); });
  clean_tail(_end);
  _maker.finish();
}
