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
#include "gc/h2/h2Mover.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Writer.hpp"
#include "gc/parallel/objectStartArray.inline.hpp"
#include "gc/parallel/parMarkBitMap.inline.hpp"
#include "gc/parallel/parallelScavengeHeap.inline.hpp"
#include "gc/parallel/psParallelCompact.inline.hpp"
#include "gc/shared/workerThread.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"

// A stripe is one region of the collector's summary data, so that no two workers
// write to the same word of a bitmap or to the same summary.
class H2Stripes : AllStatic {
 public:
  static size_t count() { return PSParallelCompact::summary_data().region_count(); }
  static HeapWord* start(size_t i) { return PSParallelCompact::summary_data().region_to_addr(i); }
  static HeapWord* end(size_t i)   { return start(i) + ParallelCompactData::RegionSize; }
};

H2MoveWorker::H2MoveWorker(uint num_labels) :
  _stripes(), _labs(), _fillers(), _objects(0), _words(0), _refused(0) {
  for (uint i = 0; i < num_labels; i++) {
    _labs.append(H2Lab());
  }
}

void H2MoveWorker::retire(H2Lab* lab) {
  if (lab->is_empty()) {
    return;
  }
  const MemRegion hole = H2Allocator::retire(lab->space(), lab->top());
  if (!hole.is_empty()) {
    _fillers.append(hole);
  }
}

HeapWord* H2MoveWorker::allocate(uint label_index, jlong label, size_t words) {
  if (words > H2Allocator::lab_words() / 2) {
    return H2Allocator::allocate_large(label, words).start();
  }
  H2Lab* const lab = _labs.adr_at(label_index);
  HeapWord* result = lab->is_empty() ? nullptr : lab->allocate(words);
  if (result == nullptr) {
    const MemRegion space = H2Allocator::allocate_lab(label);
    if (space.is_empty()) {
      return nullptr;
    }
    retire(lab);
    *lab = H2Lab(space);
    result = lab->allocate(words);
  }
  return result;
}

void H2MoveWorker::assign(HeapWord* from, HeapWord* to, const GrowableArrayCHeap<jlong, mtGC>& labels, const H2PreservedMarks& marks) {
  H2ObjectBits* const candidates = H2Candidates::bits();
  for (HeapWord* p = candidates->next(from, to); p < to; p = candidates->next(p + MinObjAlignment, to)) {
    oop obj = cast_to_oop(p);
    const size_t words = obj->size();
    const uint label_index = H2Candidates::label_index(obj);
    HeapWord* const dest = allocate(label_index, labels.at(label_index), words);
    if (dest == nullptr) {
      // No room: the object stays in H1 as if it had never been chosen.
      marks.restore(obj, obj);
      candidates->clear(obj);
      _refused++;
      continue;
    }
    FullGCForwarding::forward_to(obj, cast_to_oop(dest));
    H2Heap::starts()->update_for_block(dest, dest + words);
    PSParallelCompact::mark_bitmap()->unmark_obj(p);
    PSParallelCompact::summary_data().remove_obj(p, words);
    _objects++;
    _words += words;
  }
}

void H2MoveWorker::retire_labs() {
  for (int i = 0; i < _labs.length(); i++) {
    retire(_labs.adr_at(i));
  }
}

class H2AssignTask : public WorkerTask {
  H2Mover* const  _mover;
  volatile size_t _next;

 public:
  explicit H2AssignTask(H2Mover* mover) : WorkerTask("H2 assign"), _mover(mover), _next(0) {}

  void work(uint worker_id) override {
    H2MoveWorker* const worker = _mover->_workers.at(worker_id);
    size_t stripe;
    while ((stripe = Atomic::fetch_then_add(&_next, (size_t)1)) < H2Stripes::count()) {
      const size_t before = worker->objects();
      worker->assign(H2Stripes::start(stripe), H2Stripes::end(stripe), _mover->_labels, _mover->_marks);
      if (worker->objects() > before) {
        worker->stripes()->append(stripe);
      }
    }
    worker->retire_labs();
  }
};

// Copies in batches of labels, because each label that is being written holds a
// buffer and there are only so many.
class H2CopyTask : public WorkerTask {
  H2Mover* const _mover;
  const uint     _batch;      // labels at a time

  class Pass;

 public:
  H2CopyTask(H2Mover* mover, uint batch) : WorkerTask("H2 copy"), _mover(mover), _batch(batch) {}
  void work(uint worker_id) override;
};

// One batch of one worker. Large objects have a writer of their own, since they
// lie apart from the row of their label's small ones.
class H2CopyTask::Pass : public StackObj {
  const H2PreservedMarks&               _marks;
  const GrowableArrayCHeap<jlong, mtGC>& _labels;
  const uint                            _first;
  H2WriterMemory                        _memory;
  H2Writer                              _large;
  GrowableArrayCHeap<H2Writer*, mtGC>   _writers;

  // The writer of the object's label; null when that is not in this batch.
  H2Writer* writer_for(HeapWord* dest) {
    const jlong label = H2Heap::regions()->head(dest)->label();
    for (int i = 0; i < _writers.length(); i++) {
      if (_labels.at(_first + i) == label) {
        return _writers.at(i);
      }
    }
    return nullptr;
  }

 public:
  Pass(const H2Mover& mover, uint first, uint count) :
    _marks(mover._marks), _labels(mover._labels), _first(first), _memory(), _large(&_memory), _writers() {
    for (uint i = 0; i < count; i++) {
      _writers.append(new H2Writer(&_memory));
    }
  }

  ~Pass() {
    for (H2Writer* writer : _writers) {
      writer->finish();
      delete writer;
    }
  }

  void copy(HeapWord* from, HeapWord* to) {
    H2ObjectBits* const candidates = H2Candidates::bits();
    for (HeapWord* p = candidates->next(from, to); p < to; p = candidates->next(p + MinObjAlignment, to)) {
      oop obj = cast_to_oop(p);
      H2Writer* const writer = writer_for(cast_from_oop<HeapWord*>(FullGCForwarding::forwardee(obj)));
      if (writer == nullptr) {
        continue;
      }
      const size_t words = obj->size();
      if (words > H2Allocator::lab_words() / 2) {
        _large.write(obj, words, _marks);
        _large.finish();
      } else {
        writer->write(obj, words, _marks);
      }
    }
  }
};

void H2CopyTask::work(uint worker_id) {
  H2MoveWorker* const worker = _mover->_workers.at(worker_id);
  const uint num_labels = (uint)_mover->_labels.length();
  for (uint first = 0; first < num_labels; first += _batch) {
    Pass pass(*_mover, first, MIN2(_batch, num_labels - first));
    for (size_t stripe : *worker->stripes()) {
      pass.copy(H2Stripes::start(stripe), H2Stripes::end(stripe));
    }
  }
  for (const MemRegion& hole : worker->fillers()) {
    H2Writer::write_filler(hole);
  }
}

H2Mover::H2Mover(uint num_workers, const GrowableArrayCHeap<jlong, mtGC>& labels, const H2PreservedMarks& marks) :
  _num_workers(num_workers), _labels(labels), _marks(marks), _workers() {
  for (uint i = 0; i < num_workers; i++) {
    _workers.append(new H2MoveWorker(labels.length()));
  }
}

H2Mover::~H2Mover() {
  for (H2MoveWorker* worker : _workers) {
    delete worker;
  }
}

void H2Mover::assign() {
  H2AssignTask task(this);
  ParallelScavengeHeap::heap()->workers().run_task(&task);
}

void H2Mover::copy() {
  // One buffer each for the large objects.
  const uint per_worker = H2Heap::backend()->max_buffers() / _num_workers;
  const uint batch = clamp(per_worker, 2u, 64u) - 1;
  H2CopyTask task(this, batch);
  ParallelScavengeHeap::heap()->workers().run_task(&task);
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
size_t H2Mover::words() const   { return sum(&H2MoveWorker::words); }
size_t H2Mover::refused() const { return sum(&H2MoveWorker::refused); }
