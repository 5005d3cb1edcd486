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

#include "gc/h2/h2ConcurrentMark.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "logging/log.hpp"
#include "runtime/atomic.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/javaThread.inline.hpp"
#include "runtime/mutexLocker.hpp"

volatile H2ConcurrentMark::State              H2ConcurrentMark::_state = Idle;
volatile uint                                 H2ConcurrentMark::_epoch = 0;
bool                                          H2ConcurrentMark::_is_prepared = false;
uint                                          H2ConcurrentMark::_in_a_row = 0;
H2ConcurrentMark::Dependencies*               H2ConcurrentMark::_dependencies = nullptr;
GrowableArrayCHeap<ClassLoaderData*, mtGC>*   H2ConcurrentMark::_loaders = nullptr;
volatile int                                  H2ConcurrentMark::_next_loader = 0;

// Then a look begins anew.
static const uint MostInARow = 3;
// The bitmap takes a 64th of H2, which is wanted elsewhere where no full GC comes.
static const int64_t KeptMillis = 1000;

static Monitor* monitor() {
  static Monitor* const monitor = new Monitor(Mutex::nosafepoint, "H2ConcurrentMark_lock");
  return monitor;
}

void H2ConcurrentMark::begin() {
  assert(_state == Idle, "it has marks");
  if (_in_a_row < MostInARow && H2Reached::initialize()) {
    _state = Records;
  }
}

void H2ConcurrentMark::full_finished() {
  if (_state != Records) {
    return;
  }
  _dependencies = new (mtGC) Dependencies(1009, 0x3fffffff);
  _loaders = new GrowableArrayCHeap<ClassLoaderData*, mtGC>();
  _next_loader = 0;
  _is_prepared = false;
  MonitorLocker locker(monitor(), Mutex::_no_safepoint_check_flag);
  _epoch = _epoch + 1;
  _state = Marks;
  locker.notify();
}

void H2ConcurrentMark::forget() {
  if (_state != Idle) {
    look_ends();
  }
}

void H2ConcurrentMark::look_ends() {
  H2Reached::clear();
  delete _dependencies;
  _dependencies = nullptr;
  delete _loaders;
  _loaders = nullptr;
  _state = Idle;
}

void H2ConcurrentMark::look_begins(bool with_marks) {
  _in_a_row = with_marks ? _in_a_row + 1 : 0;
  if (!with_marks) {
    forget();
    return;
  }
  log_info(gc, h2)("This look begins with what was marked beside the program");
  H2RegionTable* const regions = H2Heap::regions();
  _dependencies->iterate_all([&](uint64_t pair, bool) {
    H2Region* const from = regions->at((uint)(pair >> 32));
    const uint to = (uint)pair;
    // The program may have written the reference since, so the one need not return with the other.
    if (!from->is_returning() && !regions->at(to)->is_returning()) {
      from->add_dependency(to);
    }
  });
}

bool H2ConcurrentMark::take_loader(ClassLoaderData** loader) {
  if (_loaders == nullptr || Atomic::load(&_next_loader) >= _loaders->length()) {
    return false;
  }
  const int i = Atomic::fetch_then_add(&_next_loader, 1);
  if (i >= _loaders->length()) {
    return false;
  }
  *loader = _loaders->at(i);
  return true;
}

void H2ConcurrentMark::note_dependency(uint from, uint to) {
  _dependencies->put(((uint64_t)from << 32) | to, true);
  _dependencies->maybe_grow(1 /* load factor */);
}

void H2ConcurrentMark::note_loader(ClassLoaderData* loader) {
  _loaders->append_if_missing(loader);
}

uint H2ConcurrentMark::wait(JavaThread* thread) {
  while (_state != Marks) {
    const uint ended = _epoch;
    bool timed_out;
    {
      ThreadBlockInVM blocked(thread);
      MonitorLocker locker(monitor(), Mutex::_no_safepoint_check_flag);
      timed_out = _state != Marks && locker.wait(_state == Ended ? KeptMillis : 0);
    }
    if (timed_out && _state == Ended && _epoch == ended) {
      forget();
    }
  }
  return _epoch;
}

void H2ConcurrentMark::ended() {
  _state = Ended;
}
