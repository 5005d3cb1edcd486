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

#include "gc/h2/h2Candidates.inline.hpp"
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Collectors.inline.hpp"
#include "gc/h2/h2FinderWorker.hpp"
#include "gc/h2/h2Mover.hpp"
#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/h2/h2Referents.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2TakenWords.hpp"
#include "gc/h2/h2Writer.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/workerThread.hpp"
#include "logging/log.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"
#include "utilities/bitMap.inline.hpp"

// LABs of a worker change with each object. Without padding, malloc may put those of the next worker into the same line of
// the cache.
static const int LabsOfPadding = DEFAULT_PADDING_SIZE / sizeof(H2Lab) + 1;
static const int SizesOfPadding = DEFAULT_PADDING_SIZE / sizeof(size_t);

H2MoveWorker::H2MoveWorker(H2Allocator* allocator, const H2MovePlaces& places, const H2FinderWorker& found) :
  _allocator(allocator), _places(places), _order(found.order()), _by_place(places.length()), _preserved(found.order().length(), mtGC),
  _labs(places.length() + LabsOfPadding), _small(places.length() + SizesOfPadding), _part(NoPart), _fillers(), _buffers(0), _objects(0),
  _words(0), _refused(0), _refused_labels(), _moved_labels() {
  for (uint i = 0; i < places.length(); i++) {
    _labs.append(H2Lab());
    _small.append(0);
  }
  for (uint i = 0; i < places.shared(); i++) {
    *_small.adr_at(places.of(i)) += found.words_of(i)._small;
  }
}

void H2MoveWorker::retire(H2Lab* lab) {
  if (lab->is_empty()) {
    return;
  }
  const MemRegion hole = _allocator->retire(lab->space(), lab->top());
  if (!hole.is_empty()) {
    _fillers.append(hole);
  }
}

HeapWord* H2MoveWorker::allocate(uint place, size_t words) {
  const jlong label = _places.label(place);
  if (words > H2Allocator::large_words()) {
    return _allocator->allocate_large(label, words).start();
  }
  size_t* const left = _small.adr_at(place);
  H2Lab* const lab = _labs.adr_at(place);
  HeapWord* result = lab->is_empty() ? nullptr : lab->allocate(words);
  if (result == nullptr) {
    // The rest of a LAB is lost to the region when the next one comes.
    const MemRegion space = _allocator->allocate_lab(label, words, *left + CollectedHeap::min_fill_size());
    if (space.is_empty()) {
      return nullptr;
    }
    retire(lab);
    *lab = H2Lab(space);
    _part = place == _places.shared() ? NoPart : _part;
    result = lab->allocate(words);
  }
  assert(*left >= words, "more than the worker followed");
  *left -= words;
  return result;
}

// In a region that labels share: says where objects of another label than before begin.
void H2MoveWorker::begin_part(HeapWord* p, uint label_index, jlong label) {
  if (label_index != _part) {
    _part = label_index;
    H2Heap::regions()->head(p)->begin_part(p, label);
  }
}

// A Reference does not move before its referent. One without a referent was cleared, and may be on the way to its queue.
static bool may_move(oop candidate) {
  if (H2Referents::kind(candidate->klass()) == H2ShapeEntry::NoReferent) {
    return true;
  }
  const oop referent = H2Referents::referent(candidate);
  return referent != nullptr && (H2Heap::contains(referent) || H2Candidates::contains(referent));
}

void H2MoveWorker::assign(const GrowableArrayCHeap<jlong, mtGC>& labels, const H2PreservedMarks& marks) {
  H2TakenWords taken = {};
  uint last = UINT_MAX;
  for (size_t i = 0; i < _order.length(); i++) {
    _order.prefetch(i);
    oop obj = _order.at(i);
    HeapWord* const p = cast_from_oop<HeapWord*>(obj);
    const size_t words = obj->size();
    const uint label_index = H2Candidates::label_index(obj);
    const bool is_preserved = H2Candidates::is_preserved(obj);
    const uint place = _places.of(label_index);
    if (!may_move(obj)) {
      H2Candidates::release(obj, marks.of(obj, is_preserved));
      continue;
    }
    HeapWord* const dest = allocate(place, words);
    if (dest == nullptr) {
      H2Candidates::release(obj, marks.of(obj, is_preserved));
      _refused++;
      _refused_labels.at_put_grow(label_index, true, false);
      continue;
    }
    if (place == _places.shared()) {
      begin_part(dest, label_index, labels.at(label_index));
    }
    _by_place.add(place, i);
    if (is_preserved) {
      _preserved.set_bit(i);
    }
    if (label_index != last) {
      _moved_labels.at_put_grow(label_index, true, false);
      last = label_index;
    }
    FullGCForwarding::forward_to(obj, cast_to_oop(dest));
    H2Heap::starts()->update_for_block(dest, dest + words);
    H2Collectors::take_words(p, words, &taken);
    _objects++;
    _words += words;
  }
  H2Collectors::settle_words(&taken);
  _by_place.finish();
}

void H2MoveWorker::retire_labs() {
  for (int i = 0; i < _labs.length(); i++) {
    retire(_labs.adr_at(i));
  }
}

// Makes the CPU fetch the object that is copied soon after entry i, and its header.
inline void H2MoveWorker::prefetch(size_t i, const H2PreservedMarks& marks) const {
  _order.prefetch(i);
  const size_t ahead = i + H2ObjectList::Ahead;
  if (ahead < _order.length() && _preserved.at(ahead)) {
    marks.prefetch(_order.at(ahead));
  }
}

// One place after the other, so that two buffers are held at a time, however many
// labels there are. Large objects have a writer of their own, since they lie apart from
// the row of their label's small ones.
void H2MoveWorker::copy(const H2PreservedMarks& marks) {
  H2WriterMemory memory;
  H2Writer small(&memory);
  H2Writer large(&memory);
  for (uint place = 0; place < _places.length(); place++) {
    _by_place.each(place, [&](size_t i) {
      prefetch(i, marks);
      const oop obj = _order.at(i);
      const size_t words = obj->size();
      H2Writer* const writer = words > H2Allocator::large_words() ? &large : &small;
      writer->write(obj, words, marks.of(obj, _preserved.at(i)));
    });
  }
  small.finish();
  large.finish();
  _buffers = small.buffers() + large.buffers();
}

void H2MoveWorker::fill_holes() {
  for (const MemRegion& hole : _fillers) {
    H2Writer::write_filler(hole);
  }
}

class H2AssignTask : public WorkerTask {
  H2Mover* const _mover;

 public:
  explicit H2AssignTask(H2Mover* mover) : WorkerTask("H2 assign"), _mover(mover) {}

  void work(uint worker_id) override {
    H2MoveWorker* const worker = _mover->_workers.at(worker_id);
    worker->assign(_mover->_labels, _mover->_marks);
    worker->retire_labs();
  }
};

class H2CopyTask : public WorkerTask {
  H2Mover* const _mover;

 public:
  explicit H2CopyTask(H2Mover* mover) : WorkerTask("H2 copy"), _mover(mover) {}

  void work(uint worker_id) override {
    H2MoveWorker* const worker = _mover->_workers.at(worker_id);
    worker->copy(_mover->_marks);
    worker->fill_holes();
  }
};

H2Mover::H2Mover(H2Allocator* allocator, H2GroupFinder* finder, uint num_workers, const H2PreservedMarks& marks) :
  _allocator(allocator), _num_workers(num_workers), _labels(finder->labels()), _places(finder, num_workers), _marks(marks), _workers() {
  for (uint i = 0; i < num_workers; i++) {
    _workers.append(new H2MoveWorker(allocator, _places, *finder->worker(i)));
  }
}

H2Mover::~H2Mover() {
  for (H2MoveWorker* worker : _workers) {
    delete worker;
  }
}

// Each label that has regions of its own to the worker that has most of it, in the order in
// which that one copies: then what it writes lies in a row.
void H2Mover::open_runs() {
  GrowableArrayCHeap<uint, mtGC> owners(_labels.length());
  GrowableArrayCHeap<size_t, mtGC> words(_labels.length());
  for (int label_index = 0; label_index < _labels.length(); label_index++) {
    uint owner = 0;
    size_t sum = 0;
    for (uint i = 0; i < _num_workers; i++) {
      const size_t own = _workers.at(i)->small_words(label_index);
      // Each worker after the first begins a grain of its own.
      sum += own + (own > 0 && sum > 0 ? H2Allocator::grain_words() : 0);
      if (own > _workers.at(owner)->small_words(label_index)) {
        owner = i;
      }
    }
    owners.append(owner);
    words.append(sum);
  }
  size_t opened = 0;
  for (uint i = 0; i < _num_workers; i++) {
    for (int label_index = 0; label_index < _labels.length(); label_index++) {
      if (owners.at(label_index) == i && (opened << LogHeapWordSize) < _allocator->budget()) {
        _allocator->open(_labels.at(label_index), words.at(label_index));
        opened += words.at(label_index);
      }
    }
  }
}

// Workers have begun parts in any order.
void H2Mover::sort_parts() {
  H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->limit(); i++) {
    if (regions->at(i)->is_in_use() && regions->at(i)->is_shared()) {
      regions->at(i)->parts()->sort();
    }
  }
}

void H2Mover::assign() {
  open_runs();
  H2AssignTask task(this);
  H2Heap::collector()->workers()->run_task(&task);
  sort_parts();
}

void H2Mover::copy() {
  H2CopyTask task(this);
  H2Heap::collector()->workers()->run_task(&task);
  log_debug(gc, h2)("Copied %d labels in %zu stretches to %zu buffers; %d labels share regions", _labels.length(), stretches(), buffers(),
                    _places.sharing());
}

template <typename F>
size_t H2Mover::sum(F field) const {
  size_t total = 0;
  for (H2MoveWorker* worker : _workers) {
    total += (worker->*field)();
  }
  return total;
}

size_t H2Mover::objects() const { return sum(&H2MoveWorker::objects); }
size_t H2Mover::stretches() const { return sum(&H2MoveWorker::stretches); }
size_t H2Mover::buffers() const { return sum(&H2MoveWorker::buffers); }
size_t H2Mover::words() const   { return sum(&H2MoveWorker::words); }
size_t H2Mover::refused() const { return sum(&H2MoveWorker::refused); }

bool H2Mover::has_moved(uint label_index) const {
  for (H2MoveWorker* worker : _workers) {
    if (worker->has_moved(label_index)) {
      return true;
    }
  }
  return false;
}

bool H2Mover::has_refused(uint label_index) const {
  for (H2MoveWorker* worker : _workers) {
    if (worker->has_refused(label_index)) {
      return true;
    }
  }
  return false;
}
