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

#include "gc/h2/h2RegionQueue.hpp"
#include "runtime/atomic.hpp"
#include "utilities/spinYield.hpp"

H2RegionQueue::H2RegionQueue(uint length) :
  _slots(NEW_C_HEAP_ARRAY(volatile uint, length, mtH2Tables)), _pushed(0), _popped(0) {
  for (uint i = 0; i < length; i++) {
    _slots[i] = Unset;
  }
}

H2RegionQueue::~H2RegionQueue() {
  FREE_C_HEAP_ARRAY(volatile uint, _slots);
}

void H2RegionQueue::push(uint index) {
  const uint slot = Atomic::fetch_then_add(&_pushed, 1u);
  Atomic::release_store(&_slots[slot], index);
}

bool H2RegionQueue::pop(uint* index) {
  uint slot;
  do {
    slot = Atomic::load_acquire(&_popped);
    if (slot == Atomic::load_acquire(&_pushed)) {
      return false;
    }
  } while (Atomic::cmpxchg(&_popped, slot, slot + 1) != slot);
  // The slot is claimed by its pusher before it is filled.
  SpinYield spin;
  while ((*index = Atomic::load_acquire(&_slots[slot])) == Unset) {
    spin.wait();
  }
  return true;
}
