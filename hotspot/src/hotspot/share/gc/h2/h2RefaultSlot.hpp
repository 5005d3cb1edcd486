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

#ifndef SHARE_GC_H2_H2REFAULTSLOT_HPP
#define SHARE_GC_H2_H2REFAULTSLOT_HPP

// Names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>
#include <stdint.h>

// A word of H2 and how often threads waited for it, in one number that a thread can swap. 0 is an empty slot.
class H2RefaultSlot {
  static const unsigned CountBits = 16;
  static const uint64_t Most = (1 << CountBits) - 1;

 public:
  static uint64_t make(uint64_t word)              { return word << CountBits | 1; }
  static uint64_t word(uint64_t slot)              { return slot >> CountBits; }
  static uint64_t count(uint64_t slot)             { return slot & Most; }
  static bool is_of(uint64_t slot, uint64_t word)  { return slot != 0 && H2RefaultSlot::word(slot) == word; }
  static uint64_t again(uint64_t slot)             { return count(slot) == Most ? slot : slot + 1; }
  // Another word wants the slot: it has it once this one has lost all that it counted.
  static uint64_t wanted(uint64_t slot, uint64_t word) { return count(slot) <= 1 ? make(word) : slot - 1; }
};

#endif // SHARE_GC_H2_H2REFAULTSLOT_HPP
