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
#include "gc/h2/h2Labels.hpp"
#include "gc/h2/h2Region.hpp"
#include "runtime/atomic.hpp"
#include "utilities/spinYield.hpp"

// The lists and parts are touched a few times per region and GC: a spin lock of one word
// is enough, and lets the table hold tens of thousands of regions.
class H2Region::Locker : public StackObj {
  volatile int* const _lock;

 public:
  explicit Locker(volatile int* lock) : _lock(lock) {
    SpinYield spin;
    while (Atomic::cmpxchg(_lock, 0, 1) != 0) {
      spin.wait();
    }
  }
  ~Locker() { Atomic::release_store(_lock, 0); }
};

H2Region::H2Region() :
  _bottom(nullptr), _end(nullptr), _top(nullptr), _copy(nullptr), _dead_bytes(0), _label(0), _parts(nullptr), _head(0), _run(0),
  _state(Free), _live(false), _lock(0), _dependencies(), _loaders(), _roots() {}

void H2Region::start_run(jlong label, uint head, uint run, HeapWord* bottom, HeapWord* end) {
  assert(is_free(), "region is taken");
  _bottom = bottom;
  _top = bottom;
  _end = end;
  _dead_bytes = 0;
  _label = label;
  _parts = label == H2OwnLabels::Shared ? new H2LabelParts() : nullptr;
  _head = head;
  _run = run;
  _state = InUse;
  // An object that moves during a full GC is live in it.
  _live = true;
}

void H2Region::continue_run(uint head) {
  assert(is_free(), "region is taken");
  _head = head;
  _state = Continues;
}

void H2Region::shorten(uint run, HeapWord* end) {
  assert(is_in_use() && run < _run, "not a part of the run");
  _run = run;
  _end = end;
  _top = MIN2(_top, end);
  keep_roots([=](HeapWord* p) { return p < end; });
}

void H2Region::become_rest_of(const H2Region* whole, uint head, HeapWord* bottom) {
  assert(_state == Continues && head > whole->_head && bottom < whole->_top, "not the rest");
  assert(!whole->is_shared(), "it is one region");
  _bottom = bottom;
  _top = whole->_top;
  _end = whole->_end;
  _dead_bytes = 0;
  _label = whole->_label;
  _head = head;
  _run = whole->_head + whole->_run - head;
  _state = InUse;
  _live = whole->_live;
  for (uint dependency : *whole->dependencies()) {
    add_dependency(dependency);
  }
  _loaders.appendAll(&whole->_loaders);
  for (const H2MovedRoot& root : whole->_roots) {
    HeapWord* const p = whole->_bottom + root._offset;
    if (p >= bottom) {
      add_root(p, root._label);
    }
  }
}

void H2Region::free() {
  delete _parts;
  _parts = nullptr;
  _dependencies.clear();
  _loaders.clear_and_deallocate();
  _roots.clear_and_deallocate();
  _copy = nullptr;
  _state = Free;
  _live = false;
}

bool H2Region::make_live() {
  return !_live && !Atomic::cmpxchg(&_live, false, true);
}

void H2Region::add_root(HeapWord* p, jlong label) {
  assert(p >= _bottom && p < _top, "root out of region");
  _roots.append(H2MovedRoot{pointer_delta(p, _bottom), label});
}

void H2Region::begin_part(HeapWord* p, jlong label) {
  Locker ml(&_lock);
  _parts->begin(p, label);
}

void H2Region::add_dependency(uint region) {
  Locker ml(&_lock);
  _dependencies.add(region);
}

void H2Region::add_loader(ClassLoaderData* cld) {
  if (cld->is_the_null_class_loader_data()) {
    return;
  }
  Locker ml(&_lock);
  _loaders.append_if_missing(cld);
}
