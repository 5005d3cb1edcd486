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
#include "gc/h2/h2WeakRoots.hpp"
#include "memory/universe.hpp"
#include "oops/weakHandle.inline.hpp"
#include "runtime/mutexLocker.hpp"
#include "utilities/bitMap.inline.hpp"

// Fewer than this are not worth a search.
static const int FewRoots = 1024;

void H2WeakRoots::add(oop object, jlong label) {
  // The storage of handles has a lock of its own, and ours is a leaf: so the handle comes first.
  const H2WeakRoot root = { WeakHandle(Universe::vm_weak(), object), label };
  MutexLocker ml(&_lock, Mutex::_no_safepoint_check_flag);
  _roots.append(root);
}

// An object and which of its entries this is; sorted, the last one comes last.
struct H2WeakRootOrder {
  HeapWord* _object;
  int       _index;

  static int compare(H2WeakRootOrder* a, H2WeakRootOrder* b) {
    if (a->_object != b->_object) {
      return a->_object < b->_object ? -1 : 1;
    }
    return a->_index - b->_index;
  }
};

// Sets the bits of the entries that a later one of the same object replaces, and of
// those whose object is dead or has moved.
static void find_obsolete(const GrowableArrayCHeap<H2WeakRoot, mtGC>& roots, CHeapBitMap* obsolete) {
  GrowableArrayCHeap<H2WeakRootOrder, mtGC> order(roots.length());
  for (int i = 0; i < roots.length(); i++) {
    const oop object = roots.at(i)._object.peek();
    if (object == nullptr || H2Heap::contains(object)) {
      obsolete->set_bit(i);
    } else {
      order.append(H2WeakRootOrder{cast_from_oop<HeapWord*>(object), i});
    }
  }
  order.sort(H2WeakRootOrder::compare);
  for (int i = 0; i + 1 < order.length(); i++) {
    if (order.at(i)._object == order.at(i + 1)._object) {
      obsolete->set_bit(order.at(i)._index);
    }
  }
}

void H2WeakRoots::prune() {
  CHeapBitMap obsolete(_roots.length(), mtGC);
  find_obsolete(_roots, &obsolete);
  int kept = 0;
  for (int i = 0; i < _roots.length(); i++) {
    H2WeakRoot root = _roots.at(i);
    if (obsolete.at(i)) {
      root._object.release(Universe::vm_weak());
    } else {
      _roots.at_put(kept++, root);
    }
  }
  _roots.trunc_to(kept);
  _kept = kept;
}

void H2WeakRoots::prune_if_grown() {
  if (_roots.length() > 2 * _kept + FewRoots) {
    prune();
  }
}
