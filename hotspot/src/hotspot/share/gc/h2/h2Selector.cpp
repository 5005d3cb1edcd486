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

#include "gc/h2/h2AutoArrays.hpp"
#include "gc/h2/h2Candidates.inline.hpp"
#include "gc/h2/h2Cards.inline.hpp"
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Director.hpp"
#include "gc/h2/h2Held.inline.hpp"
#include "gc/h2/h2Mover.hpp"
#include "gc/h2/h2OccupancyRule.hpp"
#include "gc/h2/h2OldObjects.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Returner.hpp"
#include "gc/h2/h2Selector.hpp"
#include "gc/h2/h2Stresser.hpp"
#include "gc/h2/h2TagGroups.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/gc_globals.hpp"
#include "gc/shared/gcCause.hpp"
#include "logging/log.hpp"
#include "memory/universe.hpp"
#include "oops/weakHandle.inline.hpp"

// As many as a pause has memory for, 16 bytes each.
static const int MaxRest = 1024 * K;

H2Selector::H2Selector(bool last_resort) :
  _last_resort(last_resort),
  _asked(H2Tags::has_work()),
  _occupied(may_move_unasked() && (last_resort || H2Director::moves_groups() || is_occupied())),
  _by_occupancy(), _with_more_rest() {}

bool H2Selector::may_move_unasked() {
  return H2Auto || H2Tags::count() > 0 || H2Heap::regions()->in_use() > 0;
}

bool H2Selector::is_occupied() {
  H2OccupancySnapshot s;
  s._old_max = H2Heap::collector()->use()._old_max;
  s._live = H2Heap::collector()->marked_bytes();
  s._promoted = H2Director::promoted_before_full();
  s._threshold = H2MoveThreshold;
  s._is_needed = GCCause::is_allocation_failure_gc(Universe::heap()->gc_cause());
  log_debug(gc, h2)("Live %zuK of %zuK; %zuK were promoted since the last full GC", s._live / K, s._old_max / K, s._promoted / K);
  return H2OccupancyRule::is_occupied(s);
}

bool H2Selector::has_work() const {
  return _asked || _occupied || H2Stress;
}

// Finds backward references, which marking has followed, of labels for which the condition holds.
template <typename Condition>
class H2RestVisitor : public H2CardVisitor<H2RestVisitor<Condition>> {
  GrowableArrayCHeap<H2GroupFinder::Root, mtGC>* const _roots;
  const H2Region* const                           _region;
  const Condition                                 _condition;

  // An object that has just returned stays, unless somebody asks for what refers to it.
  static bool may_move(oop obj, jlong label) {
    return !H2Held::contains(obj) && (!H2Returner::is_copy(obj) || H2Tags::has_to_move(label)) &&
           H2Candidates::is_movable(obj->klass(), obj->mark());
  }

 public:
  H2RestVisitor(GrowableArrayCHeap<H2GroupFinder::Root, mtGC>* roots, const H2Region* region, Condition condition) :
    _roots(roots), _region(region), _condition(condition) {}

  template <typename T>
  uint visit_h1(T* p, oop obj) {
    const jlong label = _region->label_at(p);
    if (_roots->length() < MaxRest && _condition(label) && may_move(obj, label)) {
      _roots->append(H2GroupFinder::Root{obj, label});
    }
    return H2Cards::Old;
  }
};

bool H2Selector::has_grown(jlong label) {
  return label >= 0 && !H2Tags::has_to_move(label) && !H2Returner::has_returned(label);
}

template <typename Condition>
void H2Selector::add_rest(Roots* roots, Condition condition) {
  H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->limit(); i++) {
    H2Region* const region = regions->at(i);
    if (!region->is_in_use() || region->is_returning() || !region->has_label(condition)) {
      continue;
    }
    if (roots->length() < MaxRest) {
      H2RestVisitor<Condition> visitor(roots, region, condition);
      H2Cards::scan(region, &visitor);
    }
    if (roots->length() >= MaxRest) {
      region->each_label([&](jlong label, HeapWord*, HeapWord*, size_t) {
        if (condition(label)) {
          _with_more_rest.add(label);
        }
      });
    }
  }
}

void H2Selector::find_asked(H2GroupFinder* finder) {
  Roots roots;
  add_rest(&roots, [](jlong label) { return H2Tags::has_to_move(label); });
  const int rest = roots.length();
  // Behind the rest, as the last roots are claimed first: a root keeps its own label.
  for (const H2WeakRoot& tag : *H2Tags::all()) {
    if (H2Tags::has_to_move(tag._label)) {
      roots.append(H2GroupFinder::Root{tag._object.peek(), tag._label});
    }
  }
  const size_t words = finder->find(roots);
  log_info(gc, h2)("Asked for: %d roots, %d references from H2, %zuK", roots.length() - rest, rest, (words << LogHeapWordSize) / K);
}

// How many groups to find at once, where `done` had so many bytes in all: about half of what
// there may be room for, but not before it is known how large groups are.
static int groups_at_once(int done, size_t bytes, size_t room) {
  if (done == 0) {
    return 1;
  }
  const size_t each = MAX2(bytes / done, (size_t)1);
  return (int)clamp(room / each / 2, (size_t)1, (size_t)done);
}

void H2Selector::find_oldest(H2GroupFinder* finder, size_t max_bytes) {
  const H2TagGroups groups(*H2Tags::all());
  const size_t before = finder->words();
  int done = 0;
  int steps = 0;
  int tags = 0;
  size_t bytes;
  while ((bytes = finder->words() << LogHeapWordSize) < max_bytes && done < groups.length()) {
    const size_t own = bytes - (before << LogHeapWordSize);
    const int end = MIN2(done + groups_at_once(done, own, max_bytes - bytes), groups.length());
    Roots roots;
    for (; done < end; done++) {
      if (!H2Returner::has_returned(groups.label(done))) {
        _by_occupancy.add(groups.label(done));
        groups.each_tag(done, [&](const H2WeakRoot& tag) {
          roots.append(H2GroupFinder::Root{tag._object.peek(), tag._label});
        });
      }
    }
    finder->find(roots);
    steps++;
    tags += roots.length();
  }
  log_info(gc, h2)("Occupancy: %d of %d labels in %d steps, %d roots, %zuK", done, groups.length(), steps, tags,
                   ((finder->words() - before) << LogHeapWordSize) / K);
}

void H2Selector::find_grown(H2GroupFinder* finder, size_t max_bytes) {
  if ((finder->words() << LogHeapWordSize) >= max_bytes) {
    return;
  }
  Roots roots;
  add_rest(&roots, has_grown);
  for (const H2GroupFinder::Root& root : roots) {
    _by_occupancy.add(root._label);
  }
  const size_t words = finder->find(roots);
  log_info(gc, h2)("Occupancy: %d references from H2, %zuK", roots.length(), (words << LogHeapWordSize) / K);
}

void H2Selector::find_groups(H2GroupFinder* finder, size_t max_bytes) {
  if (_asked) {
    find_asked(finder);
  }
  if (_occupied) {
    find_oldest(finder, max_bytes);
    // After that, so that the root of a group has its own label although objects in H2 refer to it.
    find_grown(finder, max_bytes);
    if (H2Auto) {
      H2AutoArrays::find(finder);
      H2OldObjects(finder, H2Director::moves_groups(), _last_resort).find(max_bytes);
    }
  }
  if (H2Stress) {
    H2Stresser::find(finder);
  }
}

// The log has so many lines at most.
static const int MaxLabelsToSay = 8;

// A program may have forgotten that the JVM holds roots weakly: one that it uses no more may
// be dead before the move.
void H2Selector::say_what_stayed(const H2GroupFinder& finder, const H2Mover& mover) {
  int stayed = 0;
  H2Tags::each_requested([&](jlong label) {
    uint index = 0;
    const bool is_found = finder.has_index(label, &index);
    if ((is_found && mover.has_moved(index)) || ++stayed > MaxLabelsToSay) {
      return;
    }
    log_info(gc, h2)("Nothing of label " JLONG_FORMAT " moved: %s", label,
                     is_found ? "what it reaches may not move, or found no room" : "no living object is tagged with it that was still to move");
  });
  if (stayed > MaxLabelsToSay) {
    log_info(gc, h2)("Nothing of %d more labels moved", stayed - MaxLabelsToSay);
  }
}

void H2Selector::finish(const H2GroupFinder& finder, const H2Mover& mover) {
  say_what_stayed(finder, mover);
  H2LabelSet unfinished;
  for (int i = 0; i < finder.labels().length(); i++) {
    const jlong label = finder.labels().at(i);
    if ((finder.was_cut(i) || mover.has_refused(i)) && (H2Tags::has_to_move(label) || _by_occupancy.contains(label))) {
      unfinished.add(label);
    }
  }
  unfinished.add_all(_with_more_rest);
  H2Tags::finish(unfinished);
}
