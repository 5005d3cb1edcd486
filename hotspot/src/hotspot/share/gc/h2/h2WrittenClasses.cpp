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

#include "gc/h2/h2WrittenClasses.hpp"
#include "logging/log.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"

H2WrittenClasses::Entry H2WrittenClasses::_entries[NumEntries];
uint                    H2WrittenClasses::_num_high = 0;

// Fibonacci hashing; the upper bits are the good ones.
size_t H2WrittenClasses::hash(const void* p) {
  return (size_t)(((uint64_t)(uintptr_t)p >> LogMinObjAlignmentInBytes) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

H2WrittenClasses::Entry* H2WrittenClasses::entry(Klass* klass, bool adds) {
  const size_t first = hash(klass);
  for (uint i = 0; i < NumTries; i++) {
    Entry* const e = &_entries[(first + i) % NumEntries];
    const Klass* found = Atomic::load(&e->_klass);
    if (found == nullptr && adds) {
      found = Atomic::cmpxchg(&e->_klass, (Klass*)nullptr, klass);
    }
    if (found == klass || (found == nullptr && adds)) {
      return e;
    }
  }
  return nullptr;
}

bool H2WrittenClasses::is_high(Klass* klass) {
  const Entry* const e = entry(klass, false /* adds */);
  return e != nullptr && e->_rate.is_high();
}

void H2WrittenClasses::note_moves(Klass* klass, size_t count) {
  Entry* const e = entry(klass, true /* adds */);
  if (e != nullptr) {
    Atomic::add(&e->_moved, count);
  }
}

void H2WrittenClasses::note_write(Klass* klass) {
  Entry* const e = entry(klass, false /* adds */);
  if (e != nullptr) {
    Atomic::inc(&e->_written);
  }
}

void H2WrittenClasses::full_finished() {
  uint num_high = 0;
  for (Entry& e : _entries) {
    e._rate.full_finished(e._moved, e._written);
    e._written = 0;
    num_high += e._rate.is_high() ? 1 : 0;
  }
  if (num_high != _num_high) {
    log_info(gc, h2)("Auto: objects of %u classes stay, as the program writes to those in H2", num_high);
  }
  _num_high = num_high;
}
