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

#include "classfile/javaClasses.inline.hpp"
#include "gc/h2/h2Allocator.hpp"
#include "gc/h2/h2Candidates.inline.hpp"
#include "gc/h2/h2Fields.inline.hpp"
#include "gc/h2/h2FinderWorker.hpp"
#include "gc/h2/h2Held.inline.hpp"
#include "gc/h2/h2Referents.hpp"
#include "gc/h2/h2Strings.hpp"
#include "gc/h2/h2Walk.inline.hpp"
#include "gc/h2/h2WrittenClasses.hpp"
#include "gc/shared/partialArraySplitter.inline.hpp"
#include "gc/shared/taskqueue.inline.hpp"
#include "oops/markWord.inline.hpp"
#include "oops/objArrayKlass.inline.hpp"
#include "oops/objArrayOop.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/prefetch.inline.hpp"

H2FinderWorker::H2FinderWorker(PartialArrayStateManager* open_arrays, uint num_workers, size_t max_words) :
  _queue(), _own(), _splitter(open_arrays, num_workers, PieceLength), _order(H2Heap::h1().word_size()), _seen(), _met(), _marks(),
  _large(), _held(), _claimed(0), _words(0), _max_words(max_words), _limit(max_words), _label(0), _take_constants(false), _walk(nullptr), _rows(H2Heap::h1().word_size()),
  _classes(), _cut(), _by_label() {}

inline void H2FinderWorker::see(oop obj) {
  if (!H2Heap::contains(obj)) {
    // Headers of all that the object in hand refers to come into the cache at the same time.
    Prefetch::write(cast_from_oop<HeapWord*>(obj), 0);
    _seen.append(obj);
  }
}

void H2FinderWorker::claim_seen() {
  for (oop obj : _seen) {
    if (H2Candidates::contains(obj)) {
      continue;
    }
    if (!_take_constants && H2Held::contains(obj)) {
      meet_held(obj);
    } else if (claim(obj, _label)) {
      if (java_lang_String::is_instance(obj)) {
        H2Strings::keep_hash(obj);
      }
      _met.append(obj);
    }
  }
  _seen.clear();
}

void H2FinderWorker::meet_held(oop obj) {
  if (H2Held::is_constant(obj) && H2Held::meet(obj)) {
    _held.append(obj);
  }
}

void H2FinderWorker::leave_out(oop obj, size_t words, uint label_index) {
  // Another worker may have it by now. Nor does H2 ever have room for an object that is larger than itself.
  if (!H2Candidates::contains(obj) && words <= H2Heap::capacity() >> LogHeapWordSize) {
    _cut.at_put_grow(label_index, true, false);
  }
}

// Whether the referent moves, has moved, or may. It is known for good when all has been claimed (see H2MoveWorker).
static bool may_follow_referent(oop reference) {
  const oop referent = H2Referents::referent(reference);
  if (referent == nullptr || H2Heap::contains(referent)) {
    return referent != nullptr;
  }
  const markWord mark = referent->mark();
  if (mark.is_forwarded()) {
    return true;
  }
  return !H2Held::contains(referent) && H2Candidates::is_movable(UseCompactObjectHeaders ? mark.klass() : referent->klass(), mark);
}

bool H2FinderWorker::claim(oop obj, uint label_index) {
  // The header is read once: another worker may forward it at any time.
  const markWord mark = obj->mark();
  if (mark.is_forwarded()) {
    return false;
  }
  Klass* const klass = UseCompactObjectHeaders ? mark.klass() : obj->klass();
  if (!H2Candidates::is_movable(klass, mark) && !(_walk != nullptr && H2Candidates::is_movable_reference(klass, mark) && may_follow_referent(obj))) {
    return false;
  }
  const size_t words = obj->size_given_klass(klass);
  if (_walk != nullptr && !_walk->takes(obj, klass, words)) {
    return false;
  }
  if (_words >= _limit || !has_room(words)) {
    leave_out(obj, words, label_index);
    return false;
  }
  if (!H2Candidates::claim(obj)) {
    return false;
  }
  const bool is_preserved = mark.must_be_preserved();
  if (is_preserved) {
    _marks.append(H2PreservedMark(obj, mark));
  }
  _claimed++;
  _words += words;
  H2Candidates::set_label(obj, label_index, is_preserved);
  return true;
}

void H2FinderWorker::claim_root(oop obj, uint label_index) {
  if (claim(obj, label_index)) {
    push(obj);
  }
}

void H2FinderWorker::walk_from(oop obj) {
  if (H2Heap::contains(obj) || H2Candidates::contains(obj) || H2Held::contains(obj)) {
    return;
  }
  // It gets its row when it is followed.
  claim_root(obj, _walk->large());
  drain();
}

void H2FinderWorker::push(oop obj) {
  if (_own.length() >= (_queue.is_empty() ? OwnAtLeast : OwnAtMost)) {
    share_oldest();
  }
  _own.append(obj);
}

void H2FinderWorker::share_oldest() {
  const int count = _own.length() / 2;
  for (int i = 0; i < count; i++) {
    _queue.push(ScannerTask(_own.at(i)));
  }
  _own.remove_till(count);
}

void H2FinderWorker::count(uint label_index, size_t words) {
  while ((uint)_by_label.length() <= label_index) {
    _by_label.append(H2LabelWords{0, 0});
  }
  H2LabelWords* const sum = _by_label.adr_at(label_index);
  (words <= H2Allocator::large_words() ? sum->_small : sum->_large) += words;
}

void H2FinderWorker::follow_object(oop obj) {
  const size_t words = obj->size();
  Klass* const klass = obj->klass();
  const H2ObjectKind kind = _rows.add(obj, klass, words, &_order);
  if (is_large(words)) {
    _large.append(obj);
  }
  if (_walk != nullptr) {
    H2Candidates::set_label(obj, _rows.label_index(kind, words, _walk), H2Candidates::is_preserved(obj));
    _classes.add(klass);
  }
  _label = H2Candidates::label_index(obj);
  count(_label, words);
  if (obj->is_objArray()) {
    follow_array(objArrayOop(obj));
  } else {
    h2_iterate_strong_fields(obj, [&](void*, oop target) { see(target); });
  }
}

void H2FinderWorker::see_elements(objArrayOop array, size_t start, size_t end) {
  h2_iterate_elements(array, start, end, [&](void*, oop target) { see(target); });
}

void H2FinderWorker::follow_array(objArrayOop array) {
  const size_t end = _splitter.start(&_queue, array, nullptr, array->length());
  see_elements(array, 0, end);
}

void H2FinderWorker::follow_piece(PartialArrayState* state, bool stolen) {
  const objArrayOop array = objArrayOop(state->source());
  _label = H2Candidates::label_index(array);
  const PartialArraySplitter::Claim piece = _splitter.claim(state, &_queue, stolen);
  see_elements(array, piece._start, piece._end);
}

void H2FinderWorker::follow(ScannerTask task, bool stolen) {
  if (task.is_partial_array_state()) {
    follow_piece(task.to_partial_array_state(), stolen);
  } else {
    follow_object(task.to_oop());
  }
  claim_seen();
  while (_met.is_nonempty()) {
    push(_met.pop());
  }
}

void H2FinderWorker::drain_own() {
  while (_own.is_nonempty()) {
    follow(ScannerTask(_own.pop()), false /* stolen */);
  }
}

void H2FinderWorker::drain() {
  ScannerTask task;
  drain_own();
  while (!_queue.is_empty()) {
    while (_queue.pop_overflow(task)) {
      if (!_queue.try_push_to_taskqueue(task)) {
        follow(task, false /* stolen */);
        drain_own();
      }
    }
    while (_queue.pop_local(task)) {
      follow(task, false /* stolen */);
      drain_own();
    }
  }
}

void H2FinderWorker::finish() {
  _rows.finish(&_order);
  _classes.finish();
}
