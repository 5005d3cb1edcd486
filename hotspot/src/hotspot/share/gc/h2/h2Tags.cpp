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
#include "utilities/bitMap.inline.hpp"

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

// A root and which of its tags this is; sorted, the last tag of a root comes last.
struct H2TagOrder {
  HeapWord* _root;
  int       _index;

  static int compare(H2TagOrder* a, H2TagOrder* b) {
    if (a->_root != b->_root) {
      return a->_root < b->_root ? -1 : 1;
    }
    return a->_index - b->_index;
  }
};

// Sets the bits of the tags that a later tag of the same root replaces, and of
// those whose root is dead or has moved.
static void find_obsolete(const GrowableArrayCHeap<H2Tag, mtGC>* tags, CHeapBitMap* obsolete) {
  GrowableArrayCHeap<H2TagOrder, mtGC> order(tags->length());
  for (int i = 0; i < tags->length(); i++) {
    const oop root = tags->at(i)._root.peek();
    if (root == nullptr || H2Heap::contains(root)) {
      obsolete->set_bit(i);
    } else {
      order.append(H2TagOrder{cast_from_oop<HeapWord*>(root), i});
    }
  }
  order.sort(H2TagOrder::compare);
  for (int i = 0; i + 1 < order.length(); i++) {
    if (order.at(i)._root == order.at(i + 1)._root) {
      obsolete->set_bit(order.at(i)._index);
    }
  }
}

void H2Tags::prune() {
  GrowableArrayCHeap<H2Tag, mtGC>* const list = tags();
  CHeapBitMap obsolete(list->length(), mtGC);
  find_obsolete(list, &obsolete);
  int kept = 0;
  for (int i = 0; i < list->length(); i++) {
    H2Tag tag = list->at(i);
    if (obsolete.at(i)) {
      tag._root.release(Universe::vm_weak());
    } else {
      list->at_put(kept++, tag);
    }
  }
  list->trunc_to(kept);
}
