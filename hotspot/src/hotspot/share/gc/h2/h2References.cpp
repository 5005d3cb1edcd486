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
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2References.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/gcCause.hpp"
#include "logging/log.hpp"
#include "memory/universe.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/method.hpp"
#include "runtime/atomic.hpp"
#include "runtime/vframe.inline.hpp"

H2Crossings*     H2Crossings::_all = nullptr;
H2CrossingCounts H2References::_met;
size_t           H2References::_loaders = 0;
uint64_t         H2References::_strong_at_look = 0;
bool             H2References::_has_looked = false;
bool             H2References::_just_counted = false;
bool             H2References::_counted_for_asked = false;
size_t           H2References::_old_least = 0;
uint             H2References::_collections = 0;
uint             H2References::_fruitless = 0;
size_t           H2References::_cleared_before = 0;
double           H2References::_took = 0;
Ticks            H2References::_looked;
volatile size_t  H2References::_cleared = 0;
volatile bool    H2References::_written = false;
volatile bool    H2References::_asked = false;
bool             H2References::_is_pressed = false;
volatile bool    H2References::_is_short = false;

H2CrossingCounts H2Crossings::take() {
  H2CrossingCounts sum = {};
  for (H2Crossings* worker = _all; worker != nullptr; worker = worker->_next) {
    sum._strong += worker->_counts._strong;
    sum._references += worker->_counts._references;
    sum._soft += worker->_counts._soft;
    worker->_counts = {};
  }
  return sum;
}

// Whether a class of the JDK has called System.gc(), as Bits.reserveMemory does when direct
// memory is short, and FileChannel.map when the process can map no more.
static bool is_asked_by_jdk(JavaThread* thread) {
  for (vframeStream frames(thread); !frames.at_end(); frames.next()) {
    const InstanceKlass* const holder = frames.method()->method_holder();
    if (!holder->name()->equals("java/lang/Runtime") && !holder->name()->equals("java/lang/System")) {
      return holder->class_loader() == nullptr;
    }
  }
  return false;
}

void H2References::asked(JavaThread* thread) {
  if (!H2Heap::is_enabled()) {
    return;
  }
  // No full GC runs now: it waits for this thread.
  _asked = true;
  if (is_asked_by_jdk(thread)) {
    _is_short = true;
  }
}

void H2References::note_cleared() {
  Atomic::inc(&_cleared, memory_order_relaxed);
}

size_t H2References::cleared() {
  return Atomic::load(&_cleared);
}

void H2References::marked() {
  _met = H2Crossings::take();
  _collections++;
  log_debug(gc, h2)("References to H2: %zu, of which %zu soft", _met._references, _met._soft);
}

H2LookOccasion H2References::occasion() {
  if (_asked) {
    // Also where this GC has another cause: the thread that asked may be content with it.
    return _is_short ? H2LookOccasion::Short : H2LookOccasion::Asked;
  }
  const GCCause::Cause cause = Universe::heap()->gc_cause();
  switch (cause) {
    case GCCause::_java_lang_system_gc:
      // H2.moveNow asks for this one, and for nothing else.
      return H2LookOccasion::Other;
    case GCCause::_metadata_GC_threshold:
      return H2LookOccasion::Asked;
    case GCCause::_metadata_GC_clear_soft_refs:
      return H2LookOccasion::Short;
    default:
      return GCCause::is_explicit_full_gc(cause) ? H2LookOccasion::Asked : H2LookOccasion::Other;
  }
}

// Class loaders that regions keep, and that a look might find unloaded.
static size_t loaders_of_regions() {
  const H2RegionTable* const regions = H2Heap::regions();
  size_t sum = 0;
  for (uint i = 0; i < regions->limit(); i++) {
    for (const ClassLoaderData* loader : *regions->at(i)->loaders()) {
      // One that is being unloaded waits no more, and may not be asked what it is.
      sum += loader->is_unloading() || loader->is_permanent_class_loader_data() ? 0 : 1;
    }
  }
  return sum;
}

// Metaspace is short, and a look before, in the same pause, has kept soft referents.
static bool clears_more_than_before() {
  return Universe::heap()->gc_cause() == GCCause::_metadata_GC_clear_soft_refs && H2Referents::are_any_soft();
}

H2LookSnapshot H2References::snapshot() {
  H2LookSnapshot s;
  s._occasion = occasion();
  s._references = _met._references + H2Referents::count() + _loaders;
  s._changed = !_has_looked || _written || _met._strong != _strong_at_look || H2Referents::are_any_in_h1() || clears_more_than_before();
  s._h2_used = H2Heap::used();
  const H2HeapUse h1 = H2Heap::collector()->use();
  s._old_used = h1._old_used;
  s._old_least = _old_least;
  s._old_max = h1._old_max;
  s._collections = _collections;
  s._fruitless = _fruitless;
  s._took = _is_pressed ? 0 : _took;
  s._since = (Ticks::now() - _looked).seconds();
  return s;
}

bool H2References::has_to_look() {
  _loaders = loaders_of_regions();
  const H2LookSnapshot s = snapshot();
  _asked = false;
  _is_short = false;
  _is_pressed = false;
  // This one may have looked.
  const char* const reason = _collections == 0 ? nullptr : H2LookRule::reason(s);
  _just_counted = reason != nullptr;
  _counted_for_asked = s._occasion != H2LookOccasion::Other;
  log_debug(gc, h2)("References and loaders that wait: %zu, %schanged, %u full GCs and %u fruitless looks ago: %s", s._references, s._changed ? "" : "un",
                    s._collections, s._fruitless, reason == nullptr ? "no look" : reason);
  if (reason != nullptr) {
    H2Decisions::note("Looking through H2: %s (%zu)", reason, s._references);
    _strong_at_look = _met._strong;
    _old_least = s._old_used;
  } else {
    _old_least = MIN2(_old_least, s._old_used);
  }
  return reason != nullptr;
}

void H2References::looked(bool found_all, double seconds) {
  _took = seconds;
  _looked = Ticks::now();
  const size_t cleared = H2References::cleared() - _cleared_before;
  _cleared_before += cleared;
  if (cleared > 0 || loaders_of_regions() < _loaders) {
    _fruitless = 0;
  } else if (_just_counted) {
    _fruitless++;
  }
  if (!_just_counted) {
    // Otherwise the full GC before has noted them. It did not look, like those that compare with it.
    _strong_at_look = _met._strong;
    _old_least = H2Heap::collector()->use()._old_used;
  }
  _just_counted = false;
  _has_looked = true;
  _written = !found_all;
  _collections = 0;
}
