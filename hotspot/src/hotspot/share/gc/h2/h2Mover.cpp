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
#include "gc/h2/h2TraceWorker.hpp"
#include "gc/h2/h2Writer.hpp"
#include "gc/parallel/objectStartArray.inline.hpp"
#include "gc/parallel/parMarkBitMap.inline.hpp"
#include "gc/parallel/parallelScavengeHeap.inline.hpp"
#include "gc/parallel/psParallelCompact.inline.hpp"
#include "gc/shared/workerThread.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"

// Behind the LABs of one worker, which change with each object, malloc may put those
// of the next.
static const int LabsOfPadding = DEFAULT_PADDING_SIZE / sizeof(H2Lab) + 1;

H2MoveWorker::H2MoveWorker(const H2ObjectList& order, uint num_labels) :
  _order(order), _labs(num_labels + LabsOfPadding), _fillers(), _large_words(H2Allocator::lab_words() / 2), _objects(0), _words(0), _refused(0), _refused_labels() {
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
  if (words > _large_words) {
    return H2Allocator::allocate_large(label, words).start();
  }
  H2Lab* const lab = _labs.adr_at(label_index);
  HeapWord* result = lab->is_empty() ? nullptr : lab->allocate(words);
  if (result == nullptr) {
    // What is left of the last one is lost to the region, so the first ones are small.
    const MemRegion space = H2Allocator::allocate_lab(label, words, 2 * lab->space().word_size());
    if (space.is_empty()) {
      return nullptr;
    }
    retire(lab);
    *lab = H2Lab(space);
    result = lab->allocate(words);
  }
  return result;
}

void H2MoveWorker::assign(const GrowableArrayCHeap<jlong, mtGC>& labels, const H2PreservedMarks& marks) {
  for (size_t i = 0; i < _order.length(); i++) {
    _order.prefetch(i);
    oop obj = _order.at(i);
    HeapWord* const p = cast_from_oop<HeapWord*>(obj);
    const size_t words = obj->size();
    const uint label_index = H2Candidates::label_index(obj);
    HeapWord* const dest = allocate(label_index, labels.at(label_index), words);
    if (dest == nullptr) {
      // No room: the object stays in H1 as if it had never been chosen.
      marks.restore(obj, obj);
      H2Candidates::bits()->clear(obj);
      _refused++;
      _refused_labels.at_put_grow(label_index, true, false);
      continue;
    }
    FullGCForwarding::forward_to(obj, cast_to_oop(dest));
    H2Heap::starts()->update_for_block(dest, dest + words);
    PSParallelCompact::mark_bitmap()->par_unmark_obj(p);
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
  H2Mover* const _mover;

 public:
  explicit H2AssignTask(H2Mover* mover) : WorkerTask("H2 assign"), _mover(mover) {}

  void work(uint worker_id) override {
    H2MoveWorker* const worker = _mover->_workers.at(worker_id);
    worker->assign(_mover->_labels, _mover->_marks);
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

  void copy(const H2ObjectList& objects) {
    const size_t large_words = H2Allocator::lab_words() / 2;
    for (size_t i = 0; i < objects.length(); i++) {
      objects.prefetch(i);
      oop obj = objects.at(i);
      if (!H2Candidates::bits()->contains(obj)) {
        continue;  // found no room
      }
      H2Writer* const writer = writer_for(cast_from_oop<HeapWord*>(FullGCForwarding::forwardee(obj)));
      if (writer == nullptr) {
        continue;
      }
      const size_t words = obj->size();
      if (words > large_words) {
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
    pass.copy(worker->order());
  }
  for (const MemRegion& hole : worker->fillers()) {
    H2Writer::write_filler(hole);
  }
}

H2Mover::H2Mover(H2Tracer* tracer, uint num_workers, const H2PreservedMarks& marks) :
  _num_workers(num_workers), _labels(tracer->labels()), _marks(marks), _workers() {
  for (uint i = 0; i < num_workers; i++) {
    _workers.append(new H2MoveWorker(tracer->worker(i)->order(), _labels.length()));
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

bool H2Mover::has_refused(uint label_index) const {
  for (H2MoveWorker* worker : _workers) {
    if (worker->has_refused(label_index)) {
      return true;
    }
  }
  return false;
}
