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
#include "gc/h2/h2Candidates.inline.hpp"
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Fields.inline.hpp"
#include "gc/h2/h2FinderWorker.hpp"
#include "gc/h2/h2GroupFinder.hpp"
#include "gc/h2/h2Held.inline.hpp"
#include "gc/shared/taskqueue.inline.hpp"
#include "gc/shared/taskTerminator.hpp"
#include "gc/shared/workerThread.hpp"
#include "logging/log.hpp"
#include "oops/oop.inline.hpp"

class H2FinderTask : public WorkerTask {
  H2GroupFinder* const _finder;
  TaskTerminator  _terminator;

 public:
  explicit H2FinderTask(H2GroupFinder* finder) :
    WorkerTask("H2 find"), _finder(finder), _terminator(finder->_num_workers, &finder->_queues) {}

  void work(uint worker_id) override {
    H2FinderWorker* const worker = _finder->_workers.at(worker_id);
    ScannerTask task;
    do {
      worker->drain();
      while (_finder->_queues.steal(worker_id, task)) {
        worker->follow(task, true /* stolen */);
        worker->drain();
      }
    } while (!_terminator.offer_termination());
    worker->finish();
  }
};

H2GroupFinder::H2GroupFinder(uint num_workers, size_t max_words) :
  _num_workers(num_workers), _queues(num_workers), _open_arrays(num_workers), _workers(num_workers), _indices()
{
  for (uint i = 0; i < num_workers; i++) {
    H2FinderWorker* const worker = new H2FinderWorker(&_open_arrays, num_workers, max_words);
    _workers.append(worker);
    _queues.register_queue(i, worker->queue());
  }
}

H2GroupFinder::~H2GroupFinder() {
  for (H2FinderWorker* worker : _workers) {
    delete worker;
  }
}

size_t H2GroupFinder::words() const {
  size_t words = 0;
  for (H2FinderWorker* worker : _workers) {
    words += worker->words();
  }
  return words;
}

bool H2GroupFinder::was_cut(uint label_index) const {
  for (H2FinderWorker* worker : _workers) {
    if (worker->was_cut(label_index)) {
      return true;
    }
  }
  return false;
}

void H2GroupFinder::set_limit(size_t words) {
  for (H2FinderWorker* worker : _workers) {
    worker->set_limit(words / _num_workers);
  }
}

size_t H2GroupFinder::find(const GrowableArrayCHeap<Root, mtGC>& roots, size_t limit) {
  const size_t before = words();
  set_limit(limit);
  // Newest first, so that the last tag of an object wins. All roots are claimed
  // before any is followed: a root keeps its own label.
  for (int i = roots.length() - 1; i >= 0; i--) {
    const Root& root = roots.at(i);
    if (!H2Candidates::contains(root._object)) {
      _workers.at(i % _num_workers)->claim_root(root._object, index_of(root._label));
    }
  }
  H2FinderTask task(this);
  H2Heap::collector()->workers()->run_task(&task);
  return words() - before;
}

// Held objects move only if they are constants, and in small clusters that are closed:
// an enum constant with its name, an empty list with its array. Anything larger stays in
// H1, as does what would keep a class loader, and what refers to it has a backward
// reference. So does a constant that refers to what may be replaced one day: where
// constants are, nothing is found dead, and what dead objects refer to lives.
class H2HeldCluster : public StackObj {
  static const int    MaxObjects = 16;
  static const size_t MaxBytes = K;

  GrowableArrayCHeap<oop, mtGC> _objects;
  size_t                        _bytes;
  bool                          _closed;

  void add(oop obj) {
    if (H2Heap::contains(obj) || H2Candidates::contains(obj) || _objects.contains(obj)) {
      return;
    }
    _objects.append(obj);
    _bytes += obj->size() << LogHeapWordSize;
    if (_objects.length() > MaxObjects || _bytes > MaxBytes || !may_join(obj)) {
      _closed = false;
    }
  }

  static bool refers_to_nothing(oop obj) {
    return obj->is_typeArray() || (obj->is_objArray() && objArrayOop(obj)->length() == 0) ||
           (obj->is_instance() && InstanceKlass::cast(obj->klass())->nonstatic_oop_map_count() == 0);
  }

  static bool may_join(oop obj) {
    return (H2Held::is_constant(obj) || refers_to_nothing(obj)) &&
           H2Candidates::is_movable(obj->klass(), obj->mark()) &&
           obj->klass()->class_loader_data()->is_permanent_class_loader_data();
  }

 public:
  explicit H2HeldCluster(oop root) : _objects(), _bytes(0), _closed(true) {
    add(root);
    for (int i = 0; _closed && i < _objects.length(); i++) {
      h2_iterate_strong_fields(_objects.at(i), [&](void*, oop target) { add(target); });
    }
  }

  bool is_closed() const                               { return _closed; }
  size_t bytes() const                                 { return _bytes; }
  const GrowableArrayCHeap<oop, mtGC>* objects() const { return &_objects; }
};

void H2GroupFinder::find_constants() {
  H2FinderWorker* const worker = _workers.at(0);
  worker->set_take_constants();
  worker->set_limit(SIZE_MAX);
  for (H2FinderWorker* other : _workers) {
    for (oop obj : *other->held()) {
      if (H2Candidates::contains(obj)) {
        continue;
      }
      H2HeldCluster cluster(obj);
      if (!cluster.is_closed() || !worker->has_room(cluster.bytes() >> LogHeapWordSize)) {
        continue;
      }
      for (oop member : *cluster.objects()) {
        worker->claim_root(member, index_of(H2OwnLabels::Constants));
      }
    }
  }
  worker->drain();
}

void H2GroupFinder::finish(H2PreservedMarks* marks) {
  find_constants();
  size_t claimed = 0;
  size_t ordered = 0;
  size_t preserved = 0;
  for (H2FinderWorker* worker : _workers) {
    worker->finish();
    preserved += worker->marks()->length();
    claimed += worker->claimed();
    ordered += worker->order().length();
  }
  // The header of one that is in no order would never be restored.
  guarantee(ordered == claimed, "%zu objects have a place, and %zu were claimed", ordered, claimed);
  marks->reserve(preserved);
  for (H2FinderWorker* worker : _workers) {
    marks->add_all(*worker->marks());
    worker->marks()->clear_and_deallocate();
  }
}
