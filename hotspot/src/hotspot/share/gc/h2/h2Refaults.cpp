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

#include "gc/h2/h2Refaults.inline.hpp"
#include "nmt/memTag.hpp"
#include "runtime/atomic.hpp"
#include "runtime/os.hpp"
#include "runtime/safepoint.hpp"

volatile uint64_t* H2Refaults::_slots = nullptr;
volatile uint64_t  H2Refaults::_waited_ns = 0;

// Memory that nobody has touched reads as zero.
void H2Refaults::initialize() {
  _slots = (volatile uint64_t*)os::reserve_memory(Sets * Ways * sizeof(uint64_t), mtH2Tables);
  if (_slots != nullptr && !os::commit_memory((char*)_slots, Sets * Ways * sizeof(uint64_t), !ExecMem)) {
    _slots = nullptr;
  }
}

// Multiplied by an odd constant, so that neighbours lie apart.
volatile uint64_t* H2Refaults::set_of(uint64_t word) {
  return _slots + (word * UINT64_C(0x9E3779B97F4A7C15) >> 32) % Sets * Ways;
}

// A slot that another thread changes meanwhile keeps what that thread noted.
void H2Refaults::note(const void* p, uint64_t ns) {
  if (_slots == nullptr || SafepointSynchronize::is_at_safepoint()) {
    return;
  }
  const uint64_t word = pointer_delta(p, H2Heap::start(), 1) / HeapWordSize;
  volatile uint64_t* const set = set_of(word);
  volatile uint64_t* free = nullptr;
  for (size_t i = 0; i < Ways; i++) {
    const uint64_t slot = Atomic::load(&set[i]);
    if (H2RefaultSlot::is_of(slot, word)) {
      Atomic::cmpxchg(&set[i], slot, H2RefaultSlot::again(slot), memory_order_relaxed);
      Atomic::add(&_waited_ns, ns, memory_order_relaxed);
      return;
    }
    free = slot == 0 && free == nullptr ? &set[i] : free;
  }
  volatile uint64_t* const victim = free != nullptr ? free : &set[word % Ways];
  const uint64_t slot = Atomic::load(victim);
  Atomic::cmpxchg(victim, slot, slot == 0 ? H2RefaultSlot::make(word) : H2RefaultSlot::wanted(slot, word), memory_order_relaxed);
}

void H2Refaults::clear() {
  if (_slots != nullptr) {
    memset((void*)_slots, 0, Sets * Ways * sizeof(uint64_t));
  }
  _waited_ns = 0;
}
