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
#include "gc/h2/h2Tags.hpp"
#include "memory/universe.hpp"
#include "oops/weakHandle.inline.hpp"
#include "runtime/mutex.hpp"
#include "runtime/mutexLocker.hpp"

GrowableArrayCHeap<H2Tag, mtGC>* H2Tags::_tags = nullptr;
GrowableArrayCHeap<jlong, mtGC>* H2Tags::_requested = nullptr;

static Mutex* tags_lock() {
  static Mutex* const lock = new Mutex(Mutex::nosafepoint, "H2Tags_lock");
  return lock;
}

GrowableArrayCHeap<H2Tag, mtGC>* H2Tags::tags() {
  if (_tags == nullptr) {
    _tags = new GrowableArrayCHeap<H2Tag, mtGC>();
  }
  return _tags;
}

GrowableArrayCHeap<jlong, mtGC>* H2Tags::requested() {
  if (_requested == nullptr) {
    _requested = new GrowableArrayCHeap<jlong, mtGC>();
  }
  return _requested;
}

void H2Tags::add(oop root, jlong label) {
  if (H2Heap::contains(root)) {
    return;
  }
  // Made outside the lock, which is a leaf: the storage has its own.
  const H2Tag tag = { WeakHandle(Universe::vm_weak(), root), label };
  MutexLocker ml(tags_lock(), Mutex::_no_safepoint_check_flag);
  tags()->append(tag);
}

void H2Tags::request_move(jlong label) {
  MutexLocker ml(tags_lock(), Mutex::_no_safepoint_check_flag);
  requested()->append_if_missing(label);
}

void H2Tags::prune() {
  GrowableArrayCHeap<H2Tag, mtGC>* const list = tags();
  int kept = 0;
  for (int i = 0; i < list->length(); i++) {
    H2Tag tag = list->at(i);
    const oop root = tag._root.peek();
    if (root == nullptr || H2Heap::contains(root)) {
      tag._root.release(Universe::vm_weak());
    } else {
      list->at_put(kept++, tag);
    }
  }
  list->trunc_to(kept);
}
