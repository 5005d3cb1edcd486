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
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Collectors.inline.hpp"
#include "gc/h2/h2DeadReferents.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Reached.inline.hpp"
#include "gc/h2/h2References.hpp"
#include "gc/h2/h2Referents.hpp"
#include "gc/h2/h2RegionClaimer.inline.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Returner.inline.hpp"
#include "gc/h2/h2ShapeMarking.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/shared/workerThread.hpp"
#include "logging/log.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/mutexLocker.hpp"

// Counts References that keep their referents.
struct H2KeptReferents {
  size_t _in_h2;
  size_t _in_h1;
};

// One worker's part.
class H2ReferentsWorker : public StackObj {
  H2Region*       _region;
  oop             _first;   // of those that it has cleared
  oop             _last;
  H2KeptReferents _kept;

  void clear(oop reference) {
    java_lang_ref_Reference::clear_referent_raw(reference);
    java_lang_ref_Reference::set_discovered_raw(reference, _first);
    _first = reference;
    _last = _last == nullptr ? reference : _last;
    H2References::note_cleared();
  }

  static bool is_dead(oop referent) {
    if (!H2Heap::contains(referent)) {
      return !H2Collectors::is_marked(referent);
    }
    return !H2Reached::contains(referent) && H2Returner::copy_of(referent) == nullptr;
  }

  // A Reference that lives. Its shape, or its page, has this target.
  void look_at(oop reference, oop target) {
    if (H2Heap::contains(target) && H2Reached::contains(target)) {
      _kept._in_h2++;
      _region->refer_to(H2Heap::regions()->head_index(target));
      return;
    }
    // The program may have cleared it, and it may refer to a copy in H1 by now.
    const oop referent = H2Referents::referent(reference);
    if (referent != nullptr && is_dead(referent)) {
      clear(reference);
    } else if (referent != nullptr) {
      _kept._in_h1++;
    }
  }

  // True if the entry's first reference was read.
  bool look_at(H2ShapeReader* reader, const H2ShapeEntry& entry, HeapWord* p) {
    if (entry._referent == H2ShapeEntry::NoReferent) {
      return false;
    }
    const oop target = cast_to_oop(H2Shapes::at_word(reader->reference()));
    if (H2Reached::contains(cast_to_oop(p))) {
      look_at(cast_to_oop(p), target);
    }
    return true;
  }

  void look_at_shape(size_t block) {
    H2ShapeReader reader = H2Shapes::reader(block);
    HeapWord* p = H2Shapes::first_entry(block, &reader);
    H2ShapeEntry entry;
    while (reader.next(&entry)) {
      const uint64_t read = look_at(&reader, entry, p) ? 1 : 0;
      reader.skip(entry._references - read);
      p += entry._words;
    }
  }

  // Marking has read it.
  void look_at_memory(size_t block) {
    H2Reached::each(MemRegion(H2Shapes::address(block), H2Shapes::block_words()), [&](oop obj) {
      const H2ShapeEntry::Referent kind = H2Referents::kind(obj->klass());
      const oop target = kind == H2ShapeEntry::NoReferent ? (oop)nullptr : H2Referents::referent(obj);
      if (target != nullptr) {
        look_at(obj, target);
      }
    });
  }

 public:
  H2ReferentsWorker() : _region(nullptr), _first(nullptr), _last(nullptr), _kept() {}

  void look_at(H2Region* region) {
    _region = region;
    const size_t end = H2Shapes::block(region->top());
    for (size_t block = H2Shapes::block(region->bottom()); block < end; block++) {
      if (!H2Referents::are_looked_at(block)) {
        continue;
      }
      // One that was settled since may have lost its shape, for want of memory.
      if (H2ShapeMarking::is_shaped(block) && H2Shapes::has_shape(block)) {
        look_at_shape(block);
      } else {
        look_at_memory(block);
      }
    }
  }

  // By one worker at a time.
  void finish(H2KeptReferents* kept) {
    kept->_in_h2 += _kept._in_h2;
    kept->_in_h1 += _kept._in_h1;
    if (_first != nullptr) {
      H2Referents::add_cleared(_first, _last);
    }
  }
};

class H2ReferentsTask : public WorkerTask {
  H2RegionClaimer _claimer;
  Mutex           _lock;
  H2KeptReferents _kept;

 public:
  H2ReferentsTask() : WorkerTask("H2 referents"), _claimer(), _lock(Mutex::nosafepoint, "H2Referents_lock"), _kept() {}

  void work(uint worker_id) override {
    H2ReferentsWorker worker;
    _claimer.each([&](H2Region* region) {
      if (!region->is_returning()) {
        worker.look_at(region);
      }
    });
    MutexLocker ml(&_lock, Mutex::_no_safepoint_check_flag);
    worker.finish(&_kept);
  }

  const H2KeptReferents& kept() const { return _kept; }
};

void H2DeadReferents::clear(bool is_exact) {
  const size_t before = H2References::cleared();
  H2ReferentsTask task;
  H2Heap::collector()->workers()->run_task(&task);
  H2Referents::found(task.kept()._in_h2, task.kept()._in_h1, is_exact);
  log_debug(gc, h2)("References in H2: %zu keep their referents there, %zu in H1; %zu were cleared",
                    task.kept()._in_h2, task.kept()._in_h1, H2References::cleared() - before);
}
