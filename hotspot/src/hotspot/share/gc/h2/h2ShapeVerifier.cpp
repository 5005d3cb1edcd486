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

#include "gc/h2/h2Fields.inline.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Labels.hpp"
#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/h2/h2Referents.hpp"
#include "gc/h2/h2Region.hpp"
#include "gc/h2/h2ShapeVerifier.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"

H2ShapeCursor::H2ShapeCursor(size_t block) :
  _block(block), _at(nullptr), _bytes(), _reader(H2Shapes::copy(block, &_bytes)) {
  _at = H2Shapes::first_entry(block, &_reader);
}

bool H2ShapeCursor::find(HeapWord* p, H2ShapeEntry* entry, Targets* targets) {
  while (_at <= p && _reader.next(entry)) {
    HeapWord* const at = _at;
    _at += entry->_words;
    if (at == p) {
      for (uint64_t i = 0; i < entry->_references; i++) {
        targets->append(H2Shapes::at_word(_reader.reference()));
      }
      return true;
    }
    _reader.skip(entry->_references);
  }
  return false;
}

bool H2ShapeVerifier::find(HeapWord* p, H2ShapeEntry* entry, Targets* targets) {
  const size_t block = H2Shapes::block(p);
  if (_cursor == nullptr || _cursor->block() != block) {
    delete _cursor;
    _cursor = new H2ShapeCursor(block);
  }
  return _cursor->find(p, entry, targets);
}

bool H2ShapeVerifier::is_object_start(HeapWord* p) {
  HeapWord* const start = H2Heap::starts()->block_start_reaching_into_card(p);
  if (!H2Shapes::has_gaps(H2Shapes::block(start)) && !H2Shapes::has_gaps(H2Shapes::block(p))) {
    return H2Heap::starts()->object_start(p) == p;
  }
  if (!H2Shapes::has_shape(H2Shapes::block(p))) {
    // It has no gap, and so begins within its block.
    return start <= p;
  }
  H2ShapeCursor cursor(H2Shapes::block(p));
  H2ShapeCursor::Targets ignored;
  H2ShapeEntry entry;
  return cursor.find(p, &entry, &ignored) && entry.is_object();
}

// Objects that constants refer to may be gone, and stale shapes know only where objects begin.
bool H2ShapeVerifier::is_exact(size_t block) const {
  return !H2Shapes::is_stale(block) && _region->label() != H2OwnLabels::Constants;
}

void H2ShapeVerifier::compare(HeapWord* p, MemRegion part, const Targets& shape) const {
  const oop obj = cast_to_oop(p);
  Targets memory;
  const auto collect = [&](void*, oop target) {
    if (H2Heap::contains(target)) {
      memory.append(cast_from_oop<HeapWord*>(target));
    }
  };
  if (obj->is_objArray()) {
    h2_iterate_fields(obj, part, collect);
  } else {
    if (H2Referents::kind(obj->klass()) != H2ShapeEntry::NoReferent && H2Referents::referent(obj) != nullptr) {
      collect(nullptr, H2Referents::referent(obj));
    }
    h2_iterate_strong_fields(obj, collect);
  }
  bool same = memory.length() == shape.length();
  for (int i = 0; same && i < memory.length(); i++) {
    same = memory.at(i) == shape.at(i);
  }
  guarantee(same, "H2Verify after %s GC: the shape of " PTR_FORMAT " (%s) in region %u has %d references to H2, and memory %d, or others",
            _when, p2i(p), obj->klass()->external_name(), _region->head(), shape.length(), memory.length());
}

// The parts of an array of references in blocks behind its first.
void H2ShapeVerifier::verify_array(HeapWord* p, size_t words) const {
  HeapWord* const end = p + words;
  for (size_t block = H2Shapes::block(p) + 1; H2Shapes::address(block) < end; block++) {
    if (H2Shapes::has_shape(block) && is_exact(block)) {
      Targets targets;
      H2ShapeReader reader = H2Shapes::reader(block);
      for (uint64_t i = 0; i < reader.carried(); i++) {
        targets.append(H2Shapes::at_word(reader.reference()));
      }
      compare(p, MemRegion(H2Shapes::address(block), MIN2(H2Shapes::address(block + 1), end)), targets);
    }
  }
}

size_t H2ShapeVerifier::verify(HeapWord* p) {
  const size_t block = H2Shapes::block(p);
  if (!H2Shapes::has_shape(block)) {
    return 0;
  }
  Targets targets;
  H2ShapeEntry entry;
  guarantee(find(p, &entry, &targets), "H2Verify after %s GC: the shape of a block in region %u does not know what begins at " PTR_FORMAT,
            _when, _region->head(), p2i(p));
  if (entry._kind == H2ShapeEntry::Gap) {
    guarantee(H2Shapes::has_gaps(block), "H2Verify after %s GC: nobody knows of the gap at " PTR_FORMAT, _when, p2i(p));
    return entry._words;
  }
  const size_t words = cast_to_oop(p)->size();
  guarantee(words == entry._words, "H2Verify after %s GC: what begins at " PTR_FORMAT " in region %u has %zu words, and %zu by its shape",
            _when, p2i(p), _region->head(), words, (size_t)entry._words);
  if (entry.is_object() && is_exact(block)) {
    compare(p, MemRegion(p, MIN2(H2Shapes::address(block + 1), p + words)), targets);
  }
  if (cast_to_oop(p)->is_objArray()) {
    verify_array(p, words);
  }
  return 0;
}
