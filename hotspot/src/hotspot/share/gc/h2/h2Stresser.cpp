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

#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Collectors.inline.hpp"
#include "gc/h2/h2GroupFinder.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2OldObjects.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2Stresser.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "logging/log.hpp"
#include "memory/universe.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"
#include "runtime/globals_extension.hpp"
#include "runtime/init.hpp"
#include "runtime/javaThread.hpp"
#include "runtime/os.hpp"

static const uint  MaxGroups = 12;
static const uint  MaxRoots = 16;      // of a group
static const uint  NumLabels = 8;
static const uint  MaxHotPlaces = 1000;
static const jlong FirstLabel = 1000000;

static unsigned int _random = 0;

static unsigned int next_random() {
  if (_random == 0) {
    if (H2StressSeed == 0) {
      // A crash report prints flags, and so has the seed, too.
      FLAG_SET_ERGO(H2StressSeed, (uint)(os::elapsed_counter() | 1));
    }
    log_info(gc, h2)("H2StressSeed=%u", H2StressSeed);
    _random = H2StressSeed;
  }
  _random = os::next_random(_random);
  return _random;
}

// A live object at a random place of the space; null if none. Half of the time it is
// the first one at or after the place, which finds small objects; else the one that
// covers it, which finds large arrays as often as they are large.
static HeapWord* pick(MemRegion space) {
  if (space.is_empty()) {
    return nullptr;
  }
  HeapWord* const from = align_up(space.start() + next_random() % space.word_size(), MinObjAlignmentInBytes);
  if (from >= space.end()) {
    return nullptr;
  }
  if (next_random() % 2 == 0) {
    HeapWord* const found = H2Collectors::first_marked(from, space.end());
    return found < space.end() ? found : nullptr;
  }
  HeapWord* const found = H2Collectors::last_marked(space.start(), from);
  return found != nullptr && found + cast_to_oop(found)->size() > from ? found : nullptr;
}

// Half of the groups take their whole closure, the others up to a number of words
// of random magnitude.
static size_t random_limit() {
  return next_random() % 2 == 0 ? SIZE_MAX : (size_t)1 << (next_random() % 20);
}

static size_t random_bytes() {
  return (size_t)1 << (10 + next_random() % 20);
}

static int find_group(H2GroupFinder* finder) {
  GrowableArrayCHeap<H2GroupFinder::Root, mtGC> roots;
  const uint wanted = next_random() % MaxRoots;
  for (uint i = 0; i < wanted; i++) {
    const uint space = next_random() % H2Heap::collector()->num_spaces();
    HeapWord* const root = pick(H2Heap::collector()->space(space));
    if (root != nullptr) {
      roots.append(H2GroupFinder::Root{cast_to_oop(root), FirstLabel + next_random() % NumLabels});
    }
  }
  finder->find(roots, random_limit());
  return roots.length();
}

void H2Stresser::find(H2GroupFinder* finder) {
  const size_t before = finder->words();
  const uint groups = next_random() % MaxGroups;
  int roots = 0;
  for (uint i = 0; i < groups; i++) {
    roots += find_group(finder);
  }
  if (next_random() % 4 == 0) {
    H2OldObjects(finder, false, false).walk(H2AutoRound(next_random() % 3), H2AutoScope(next_random() % 3), random_bytes());
  }
  log_info(gc, h2)("Stress: %u groups, %d roots, %zuK", groups, roots, ((finder->words() - before) << LogHeapWordSize) / K);
}

bool H2Stresser::choose_to_return(jlong* label) {
  const H2RegionTable* const regions = H2Heap::regions();
  if (regions->in_use() == 0 || next_random() % 4 != 0) {
    return false;
  }
  uint i = next_random() % regions->limit();
  while (!regions->at(i)->is_in_use()) {
    i = (i + 1) % regions->limit();
  }
  *label = regions->at(i)->label_at(regions->at(i)->bottom());
  return true;
}

bool H2Stresser::choose_to_look() {
  return next_random() % 4 == 0;
}

bool H2Stresser::choose_to_mark_ahead() {
  return next_random() % 2 == 0;
}

void H2Stresser::choose_to_gather(H2HotObjects::Places* places) {
  const H2RegionTable* const regions = H2Heap::regions();
  if (regions->in_use() == 0 || next_random() % 4 != 0) {
    return;
  }
  const uint wanted = 1 + next_random() % MaxHotPlaces;
  for (uint i = 0; i < wanted; i++) {
    const H2Region* const region = regions->at(next_random() % regions->limit());
    if (region->is_in_use() && region->used_bytes() > 0) {
      const size_t offset = next_random() % (region->used_bytes() >> LogHeapWordSize);
      places->append(H2HotPlace{region->bottom() + offset, next_random() % 100});
    }
  }
}

static volatile size_t _bytes_since_forced = 0;

void H2Stresser::count_allocation(size_t words) {
  if (!H2Stress || !H2Heap::is_enabled() || !is_init_completed() || !Thread::current()->is_Java_thread()) {
    return;
  }
  const size_t bytes = words << LogHeapWordSize;
  const size_t total = Atomic::add(&_bytes_since_forced, bytes);
  // The thread that crosses the interval collects, and no other.
  if (total >= H2StressInterval && total - bytes < H2StressInterval) {
    Atomic::store(&_bytes_since_forced, (size_t)0);
    Universe::heap()->collect(GCCause::_full_gc_alot);
  }
}
