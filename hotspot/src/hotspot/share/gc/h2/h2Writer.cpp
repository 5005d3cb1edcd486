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

#include "cds/cdsConfig.hpp"
#include "gc/h2/h2Allocator.hpp"
#include "gc/h2/h2Cards.inline.hpp"
#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/h2/h2Referents.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Writer.hpp"
#include "gc/shared/collectedHeap.inline.hpp"
#include "gc/shared/fullGCForwarding.inline.hpp"
#include "memory/iterator.inline.hpp"
#include "memory/resourceArea.hpp"
#include "oops/arrayOop.hpp"
#include "oops/klass.inline.hpp"
#include "oops/objArrayOop.inline.hpp"
#include "utilities/copy.hpp"

H2WriterMemory::H2WriterMemory() : _dependencies(), _loader_region(UINT_MAX), _loader(nullptr) {
  // No region depends on itself, so this entry matches nothing.
  for (uint i = 0; i < Length; i++) {
    _dependencies[i] = 0;
  }
}

void H2WriterMemory::add_dependency(uint from, uint to) {
  if (from == to) {
    return;
  }
  const uint64_t pair = ((uint64_t)from << 32) | to;
  uint64_t* const entry = &_dependencies[(from * 31 + to) % Length];
  if (*entry != pair) {
    *entry = pair;
    H2Heap::regions()->at(from)->add_dependency(to);
  }
}

void H2WriterMemory::add_loader(uint region, ClassLoaderData* cld) {
  if (cld->is_the_null_class_loader_data() || (_loader == cld && _loader_region == region)) {
    return;
  }
  _loader = cld;
  _loader_region = region;
  H2Heap::regions()->at(region)->add_loader(cld);
}

// Fixes the references of a copy before anyone can see it.
class H2FixVisitor : public H2CardVisitor<H2FixVisitor> {
  H2WriterMemory* const _memory;
  H2ShapeMaker* const   _shapes;
  const uint            _region;

 public:
  H2FixVisitor(H2WriterMemory* memory, H2ShapeMaker* shapes, uint region) : _memory(memory), _shapes(shapes), _region(region) {}

  template <typename T>
  uint visit_h2(T* p, oop obj) {
    _memory->add_dependency(_region, H2Heap::regions()->head_index(obj));
    _shapes->add(cast_from_oop<HeapWord*>(obj));
    return H2Cards::None;
  }

  template <typename T>
  uint visit_h1(T* p, oop obj) {
    if (FullGCForwarding::is_forwarded(obj)) {
      obj = FullGCForwarding::forwardee(obj);
      RawAccess<IS_NOT_NULL>::oop_store(p, obj);
      if (H2Heap::contains(obj)) {
        return visit_h2(p, obj);
      }
    }
    return H2Cards::classify(obj);
  }

  template <typename T>
  uint visit_field(T* p) {
    const T value = RawAccess<>::oop_load(p);
    return CompressedOops::is_null(value) ? (uint)H2Cards::None : visit(p, CompressedOops::decode_not_null(value));
  }

  // Before any other field.
  uint visit_referent(oop reference, H2ShapeEntry::Referent kind) {
    void* const p = H2Referents::field(reference);
    _shapes->note_reference();
    const uint found = UseCompressedOops ? visit_field((narrowOop*)p) : visit_field((oop*)p);
    const bool is_in_h2 = _shapes->has_references();
    if (is_in_h2) {
      _shapes->set_referent(kind);
    }
    H2Referents::note_move(kind, is_in_h2);
    return found;
  }

  // The elements in bytes [begin, end) of a piece of an array's copy, of which
  // the address in H2 will be dest.
  template <typename T>
  void fix_elements(HeapWord* piece, size_t begin, size_t end, HeapWord* dest) {
    for (size_t at = begin; at < end; at += sizeof(T)) {
      _shapes->go_on((HeapWord*)((char*)dest + at));
      H2Cards::raise(H2Heap::cards()->byte_for((char*)dest + at), visit_field((T*)((char*)piece + at)));
    }
  }
};

H2Writer::H2Writer(H2WriterMemory* memory) :
  _memory(memory), _buffer(nullptr), _capacity(0), _start(nullptr), _pos(nullptr), _buffers(0), _shapes() {}

H2Writer::~H2Writer() {
  assert(_buffer == nullptr, "finish first");
}

void H2Writer::open(HeapWord* at) {
  _start = at;
  _pos = at;
  _buffers++;
  _buffer = H2Heap::backend()->acquire(pointer_delta(at, H2Heap::start(), 1), &_capacity);
}

void H2Writer::submit() {
  H2Heap::backend()->submit(_buffer, pointer_delta(_start, H2Heap::start(), 1), pointer_delta(_pos, _start, 1));
  _buffer = nullptr;
}

void H2Writer::append(const HeapWord* from, size_t words) {
  while (words > 0) {
    if (room() == 0) {
      submit();
      open(_pos);
    }
    const size_t n = MIN2(words, room());
    Copy::disjoint_words(from, cursor(), n);
    from += n;
    words -= n;
    _pos += n;
  }
}

void H2Writer::write(oop obj, size_t words, markWord mark) {
  HeapWord* const dest = cast_from_oop<HeapWord*>(FullGCForwarding::forwardee(obj));
  if (_buffer == nullptr || (dest != _pos && !go_on_at(dest))) {
    finish();
    open(dest);
  }
  ClassLoaderData* const loader = obj->klass()->class_loader_data();
  _memory->add_loader(H2Heap::regions()->head_index(dest), loader);
  const H2ShapeMaker::Kind kind =
    obj->is_objArray() ? H2ShapeMaker::ReferenceArray : obj->is_typeArray() ? H2ShapeMaker::Leaf : H2ShapeMaker::Instance;
  _shapes.begin(dest, words, kind, loader);
  if (obj->is_array()) {
    write_array(obj, words, mark);
  } else {
    write_instance(obj, words, mark);
  }
}

void H2Writer::write_instance(oop obj, size_t words, markWord mark) {
  ResourceMark rm;
  HeapWord* const dest = _pos;
  const bool fits = words <= room();
  HeapWord* const copy = fits ? cursor() : NEW_RESOURCE_ARRAY(HeapWord, words);
  Copy::disjoint_words(cast_from_oop<HeapWord*>(obj), copy, words);
  cast_to_oop(copy)->set_mark(mark);

  H2FixVisitor fix(_memory, &_shapes, H2Heap::regions()->head_index(dest));
  const H2ShapeEntry::Referent kind = H2Referents::kind(obj->klass());
  uint found = kind == H2ShapeEntry::NoReferent ? (uint)H2Cards::None : fix.visit_referent(cast_to_oop(copy), kind);
  h2_iterate_strong_fields(cast_to_oop(copy), [&](auto* p, oop target) { found |= fix.visit(p, target); });
  H2Cards::raise(H2Heap::cards()->byte_for(dest), found);
  if (fits) {
    _pos += words;
  } else {
    append(copy, words);
  }
}

// Arrays may be larger than a buffer and are written in pieces.
void H2Writer::write_array(oop obj, size_t words, markWord mark) {
  const HeapWord* const from = cast_from_oop<HeapWord*>(obj);
  // Where the references are; behind the last there may be padding.
  const size_t begin = arrayOopDesc::base_offset_in_bytes(T_OBJECT);
  const size_t end = obj->is_objArray() ? begin + (size_t)arrayOop(obj)->length() * heapOopSize : 0;
  H2FixVisitor fix(_memory, &_shapes, H2Heap::regions()->head_index(_pos));
  for (size_t done = 0; done < words; ) {
    if (room() == 0) {
      submit();
      open(_pos);
    }
    const size_t n = MIN2(words - done, room());
    HeapWord* const piece = cursor();
    Copy::disjoint_words(from + done, piece, n);
    if (done == 0) {
      cast_to_oop(piece)->set_mark(mark);
    }
    const size_t offset = done << LogHeapWordSize;
    const size_t first = MAX2(begin, offset) - offset;
    const size_t limit = MIN2(end, offset + (n << LogHeapWordSize));
    if (offset + first < limit) {
      if (UseCompressedOops) {
        fix.fix_elements<narrowOop>(piece, first, limit - offset, _pos);
      } else {
        fix.fix_elements<oop>(piece, first, limit - offset, _pos);
      }
    }
    done += n;
    _pos += n;
  }
}

// Only the header of a filler is ever read; its body need not exist.
void H2Writer::append_filler(size_t words) {
  assert(!CDSConfig::is_dumping_heap(), "then the body would be filled too");
  const size_t max_header_words = 3;
  intptr_t header[max_header_words];
  CollectedHeap::fill_with_object((HeapWord*)header, words, false /* zap */);
  H2Heap::starts()->update_for_block(_pos, _pos + words);
  _shapes.filler(_pos, words);
  append((HeapWord*)header, MIN2(words, max_header_words));
}

// Makes the row of objects go on to the end of a grain. Behind the unit in which it ended is the body of a
// filler, which need not exist.
void H2Writer::fill_grain() {
  const size_t gap = pointer_delta(H2Allocator::pad_end(_pos), _pos);
  if (gap > 0) {
    append_filler(gap);
    clear_to_unit_end();
  }
}

void H2Writer::finish() {
  if (_buffer != nullptr) {
    fill_grain();
    submit();
    _shapes.finish();
  }
}

void H2Writer::clear(size_t words) {
  Copy::zero_to_words(cursor(), words);
  _pos += words;
}

void H2Writer::clear_to_unit_end() {
  clear(pointer_delta(align_up(_pos, H2Heap::backend()->unit_bytes()), _pos));
}

// Whether nothing lies between the end of a row and the start of another: they meet, or the
// one is its region's last and the other the first of the next region.
static bool is_unused(HeapWord* from, HeapWord* to) {
  const H2Region* const region = H2Heap::regions()->head(from - 1);
  return from == to || (from >= region->top() && to == region->end());
}

// Labels that have little would take a buffer each. Where the run of regions of one is
// followed by that of the next one, what is left of the first is submitted along, empty.
bool H2Writer::go_on_at(HeapWord* dest) {
  const size_t most = (64 * K) >> LogHeapWordSize;
  HeapWord* const end = H2Allocator::pad_end(_pos);
  if (dest < end || pointer_delta(dest, end) > most || pointer_delta(dest, _pos) >= room() || !is_unused(end, dest)) {
    return false;
  }
  fill_grain();
  // fill_grain has left out the filler's body up to there.
  clear(pointer_delta(dest, _pos));
  return true;
}

void H2Writer::write_filler(MemRegion hole) {
  H2WriterMemory memory;
  H2Writer writer(&memory);
  writer.open(hole.start());
  writer.append_filler(hole.word_size());
  writer.clear_to_unit_end();
  writer.submit();
  writer._shapes.finish();
}
