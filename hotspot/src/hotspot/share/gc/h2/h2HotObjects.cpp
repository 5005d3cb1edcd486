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

#include "classfile/vmClasses.hpp"
#include "gc/h2/h2Cards.inline.hpp"
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Collectors.inline.hpp"
#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2Fields.inline.hpp"
#include "gc/h2/h2Gathered.hpp"
#include "gc/h2/h2GatherRule.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2HotObjects.inline.hpp"
#include "gc/h2/h2Labels.hpp"
#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/h2/h2Refaults.inline.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/shared/gc_globals.hpp"
#include "gc/shared/workerThread.hpp"
#include "logging/log.hpp"
#include "memory/universe.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"
#include "runtime/timer.hpp"
#include "utilities/copy.hpp"
#include "utilities/powerOfTwo.hpp"

H2HotObjects::Entry* H2HotObjects::_map = nullptr;
size_t               H2HotObjects::_mask = 0;
size_t               H2HotObjects::_each = 512;   // until there was a gather
double               H2HotObjects::_each_takes = 0.0;
int                  H2HotObjects::_taken = 0;
Ticks                H2HotObjects::_started;

// As many objects as a pause has memory for, and a place may take along.
static const size_t MostObjects = 128 * K;
static const size_t MostOfPlace = 16;
// Bytes that are left in the end, rather than reading place after place for an object that fits.
static const size_t SmallRest = K;
// Places that are brought in together. Those of all might leave memory before they are looked at.
static const int Batch = 256;
// A place takes as long as so many waits, until there was a gather: blocks that refer to it are read as well, and written. By 8
// the pause was far too long (decision 117).
static const int WaitsEach = 40;
static const double MostOfEach = 4e-3;   // seconds

static H2GatherSnapshot snapshot(size_t each, double each_takes, double gc_takes, double since) {
  H2GatherSnapshot s;
  s._places = 0;
  s._waits = 0;
  memset(s._steps, 0, sizeof(s._steps));
  H2Refaults::each([&](HeapWord*, uint64_t count) {
    H2GatherStep* const step = &s._steps[log2i(count)];
    step->_places++;
    step->_waits += count - 1;
    s._places++;
    s._waits += count - 1;
  });
  s._waited = (double)H2Refaults::waited_ns() / NANOSECS_PER_SEC;
  s._since = since;
  s._gc_takes = gc_takes;
  s._h2_used = H2Heap::used();
  s._room = H2Gathered::room();
  s._each = each;
  s._each_takes = each_takes > 0.0 ? each_takes : WaitsEach * s._waited / (double)MAX2(s._waits, (size_t)1);
  return s;
}

bool H2HotObjects::is_worth_a_full_gc(double gc_takes, double since) {
  const H2GatherSnapshot s = snapshot(_each, _each_takes, gc_takes, since);
  const char* const refusal = H2GatherRule::refusal(s);
  log_trace(gc, h2)("Threads waited %.3fs for %zu places of H2 again: %s", s._waited, s._places, refusal == nullptr ? "full GC" : refusal);
  if (refusal != nullptr) {
    return false;
  }
  H2Decisions::note("Full GC before H1 is full: threads waited %.3fs for %zu hot objects of H2; to bring %zu of them to H1 takes %.3fs",
                    s._waited, s._places, H2GatherRule::taken(s), H2GatherRule::costs(s));
  return true;
}

void H2HotObjects::find_places(Places* places, double since) {
  const H2GatherSnapshot s = snapshot(_each, _each_takes, 0.0, since);
  const char* const refusal = H2GatherRule::refusal(s);
  log_debug(gc, h2)("Threads waited %.3fs for %zu places of H2 again, and %zuK of H1 are to spare: %s", s._waited, s._places, s._room / K,
                    refusal == nullptr ? "hot objects come back" : refusal);
  if (refusal == nullptr) {
    H2Refaults::each([&](HeapWord* word, uint64_t count) { places->append(H2HotPlace{word, count}); });
    places->sort([](H2HotPlace* a, H2HotPlace* b) { return a->_count > b->_count ? -1 : a->_count < b->_count ? 1 : 0; });
    places->trunc_to(MIN2(places->length(), (int)MIN2(H2GatherRule::taken(s), MostObjects)));
  }
}

// Brings pages in that the selection reads, several at a time.
class H2TouchTask : public WorkerTask {
  const H2HotObjects::Places& _places;
  volatile int                _next;
  const int                   _end;

 public:
  H2TouchTask(const H2HotObjects::Places& places, int from, int end) : WorkerTask("H2 touch"), _places(places), _next(from), _end(end) {}

  void work(uint worker_id) override {
    int i;
    while ((i = Atomic::fetch_then_add(&_next, 1)) < _end) {
      HeapWord* const word = _places.at(i)._word;
      if (H2Heap::regions()->is_allocated(word)) {
        (void)*(volatile intptr_t*)word;
      }
    }
  }
};

// Chooses the objects at places.
class H2HotSelection : public StackObj {
  GrowableArrayCHeap<HeapWord*, mtGC> _objects;
  size_t                              _words;
  const size_t                        _most_words;

  // One that was tagged, as its tag would be lost.
  static bool is_root(const H2Region* region, const HeapWord* p) {
    for (const H2MovedRoot& root : *region->roots()) {
      if (region->bottom() + root._offset == p) {
        return true;
      }
    }
    return false;
  }

  static bool may_leave(HeapWord* p) {
    const H2Region* const region = H2Heap::regions()->head(p);
    return !region->is_returning() && region->label() != H2OwnLabels::Constants && !is_root(region, p) &&
           (H2Stress || region->label_at(p) <= H2OwnLabels::FirstRow);
  }

  // Where the object begins that the word lies in. No gap may lie before it.
  static HeapWord* start_of(HeapWord* word) {
    H2Shapes::settle(H2Heap::starts()->block_start_reaching_into_card(word));
    H2Shapes::settle(word);
    return H2Heap::starts()->object_start(word);
  }

  static bool is_filler(oop obj) {
    Klass* const klass = obj->klass();
    return klass == Universe::fillerArrayKlass() || klass == vmClasses::FillerObject_klass();
  }

  // False if it is there, or takes too much of what is left for the place.
  bool add_object(HeapWord* p, size_t* left) {
    const size_t words = cast_to_oop(p)->size();
    H2HotObjects::Entry* const entry = H2HotObjects::find(p);
    if (entry->_from != nullptr || words > *left) {
      return false;
    }
    *left -= words;
    entry->_from = p;
    _objects.append(p);
    _words += words;
    return true;
  }

  // Objects of its block to which the object refers will be wanted next, and would bring the unit in again.
  void add_neighbours(HeapWord* p, int first, size_t* left) {
    h2_iterate_strong_fields(cast_to_oop(p), [&](void*, oop target) {
      HeapWord* const q = cast_from_oop<HeapWord*>(target);
      if (H2Heap::contains(target) && H2Shapes::block(q) == H2Shapes::block(p) && _objects.length() - first < (int)MostOfPlace && may_leave(q)) {
        add_object(q, left);
      }
    });
  }

 public:
  explicit H2HotSelection(size_t most_words) : _objects(), _words(0), _most_words(most_words) {}

  bool is_full() const {
    return _most_words - _words < SmallRest >> LogHeapWordSize || (size_t)_objects.length() + MostOfPlace > MostObjects;
  }

  void add(HeapWord* word) {
    if (!H2Heap::regions()->is_allocated(word) || !may_leave(word)) {
      return;
    }
    HeapWord* const p = start_of(word);
    // A unit that an object mostly fills is hot as a whole.
    size_t left = MIN2(H2Shapes::block_words() / 4, _most_words - _words);
    const int first = _objects.length();
    if (!is_filler(cast_to_oop(p)) && may_leave(p) && add_object(p, &left)) {
      for (int i = first; i < _objects.length(); i++) {
        add_neighbours(_objects.at(i), first, &left);
      }
    }
  }

  const GrowableArrayCHeap<HeapWord*, mtGC>& objects() const { return _objects; }
  size_t words() const                                       { return _words; }
};

void H2HotObjects::copy(const GrowableArrayCHeap<HeapWord*, mtGC>& objects, size_t words) {
  HeapWord* const row = H2Heap::collector()->allocate_old(words);
  if (row == nullptr) {
    H2Decisions::note("Hot objects stay in H2: the old generation has no room for %zuK", (words << LogHeapWordSize) / K);
    finish();
    return;
  }
  HeapWord* to = row;
  for (HeapWord* from : objects) {
    const size_t size = cast_to_oop(from)->size();
    Copy::aligned_disjoint_words(from, to, size);
    find(from)->_to = to;
    H2Collectors::record_old_object(to, to + size);
    to += size;
  }
  H2Gathered::add(MemRegion(row, words));
}

void H2HotObjects::gather(Places* places) {
  const size_t wanted = MIN2((size_t)places->length() * MostOfPlace, MostObjects);
  const size_t length = round_up_power_of_2(2 * wanted);
  _started = Ticks::now();
  places->sort([](H2HotPlace* a, H2HotPlace* b) { return a->_word < b->_word ? -1 : a->_word > b->_word ? 1 : 0; });
  _map = NEW_C_HEAP_ARRAY(Entry, length, mtGC);
  memset(_map, 0, length * sizeof(Entry));
  _mask = length - 1;
  H2HotSelection selection(H2Gathered::room() >> LogHeapWordSize);
  int taken = 0;
  while (taken < places->length() && !selection.is_full()) {
    const int end = MIN2(taken + Batch, places->length());
    H2TouchTask touch(*places, taken, end);
    H2Heap::collector()->workers()->run_task(&touch);
    for (; taken < end && !selection.is_full(); taken++) {
      selection.add(places->at(taken)._word);
    }
  }
  H2Refaults::clear();
  if (selection.words() == 0) {
    finish();
    return;
  }
  const size_t bytes = selection.words() << LogHeapWordSize;
  _each = MAX2(bytes / MAX2(taken, 1), (size_t)HeapWordSize);
  H2Decisions::note("Hot objects come back to H1: %d of %zuK, from %d of %d places", selection.objects().length(), bytes / K, taken,
                    places->length());
  _taken = taken;
  copy(selection.objects(), selection.words());
}

// The look would take its part without hot objects, too.
void H2HotObjects::finish() {
  if (_map != nullptr && _taken > 0) {
    const double seconds = MAX2((Ticks::now() - _started).seconds() - 2.0 * H2GatherRule::look_takes(H2Heap::used()), 0.0);
    // A machine that stalls once does not end this for ever.
    const double each = MIN2(seconds / _taken, MostOfEach);
    _each_takes = _each_takes > 0.0 ? (_each_takes + each) / 2.0 : each;
    log_debug(gc, h2)("Hot objects took %.3fs, each place %.0fus", seconds, each * MICROUNITS);
  }
  _taken = 0;
  FREE_C_HEAP_ARRAY(Entry, _map);
  _map = nullptr;
  _mask = 0;
}

// As others that look at the card may do, it takes p for a field of the object that reaches into its card. A block that is
// stale for nothing is read for nothing.
void H2HotObjects::refer_back(void* p) {
  HeapWord* const obj = H2Heap::starts()->block_start_reaching_into_card((HeapWord*)p);
  H2Cards::raise(H2Heap::cards()->byte_for(p), H2Cards::Old);
  // A block has no reference to H1 if its own cards are clean (see H2TargetsKeeper).
  H2Cards::raise(H2Heap::cards()->byte_for(obj), H2Cards::Old);
  H2Shapes::note_stale(p);
  H2Shapes::note_stale(obj);
}
