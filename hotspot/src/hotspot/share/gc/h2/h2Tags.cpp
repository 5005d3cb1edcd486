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

#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Tags.hpp"
#include "oops/weakHandle.inline.hpp"
#include "runtime/mutexLocker.hpp"

H2WeakRoots* H2Tags::_tags = nullptr;
volatile bool H2Tags::_are_used = false;
H2LabelSet*  H2Tags::_requested = nullptr;
H2LabelSet*  H2Tags::_unfinished = nullptr;

static Mutex* requests_lock() {
  static Mutex* const lock = new Mutex(Mutex::nosafepoint, "H2Requests_lock");
  return lock;
}

void H2Tags::initialize() {
  _tags = new H2WeakRoots("H2Tags_lock");
  _requested = new H2LabelSet();
  _unfinished = new H2LabelSet();
}

void H2Tags::add(oop root, jlong label) {
  if (!H2Heap::contains(root)) {
    _are_used = true;
    _tags->add(root, label);
  }
}

void H2Tags::prune() {
  for (const H2WeakRoot& tag : *all()) {
    const oop root = tag._object.peek();
    if (root != nullptr && H2Heap::contains(root)) {
      HeapWord* const p = cast_from_oop<HeapWord*>(root);
      H2Heap::regions()->head(p)->add_root(p, tag._label);
    }
  }
  _tags->prune();
}

void H2Tags::put_back(const H2Region* region) {
  assert(region->is_returning(), "what would be tagged?");
  for (const H2MovedRoot& root : *region->roots()) {
    add(cast_to_oop(region->copy() + root._offset), root._label);
  }
}

void H2Tags::request_move(jlong label) {
  MutexLocker ml(requests_lock(), Mutex::_no_safepoint_check_flag);
  _requested->add(label);
}

bool H2Tags::is_any_requested(const H2LabelSet& labels) {
  bool any = false;
  labels.each([&](jlong label) { any |= is_requested(label); });
  return any;
}

void H2Tags::postpone() {
  _unfinished->add_all(*_requested);
  _requested->clear();
}

void H2Tags::forget(jlong label) {
  _requested->remove(label);
  _unfinished->remove(label);
}

void H2Tags::finish(const H2LabelSet& unfinished) {
  _requested->clear();
  _unfinished->clear();
  _unfinished->add_all(unfinished);
}
