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

#ifndef SHARE_GC_H2_H2CARDS_HPP
#define SHARE_GC_H2_H2CARDS_HPP

#include "gc/shared/cardTable.hpp"
#include "memory/allStatic.hpp"
#include "memory/allocation.hpp"
#include "oops/oopsHierarchy.hpp"

class H2Region;

// The cards of H2 remember backward references (H2 to H1).
//
//   clean  no backward reference
//   dirty  written by the program since the last GC, or may point to young
//   old    has backward references, none of them to young
//
// A reference field of an instance counts for the card of the object's header
// or its own; an element of an array counts for its own card. That is what the
// write barrier dirties. A young GC reads dirty cards only; a full GC reads those, and
// others that are not clean, of live regions, if nobody knows their references
// (see H2Targets). No other page of H2 is touched by a GC.
class H2Cards : AllStatic {
 public:
  typedef CardTable::CardValue CardValue;

  // A value that no other user of the card table knows, and that the write
  // barrier overwrites (also when it is conditional).
  static constexpr CardValue old_card = 16;

  // Findings in objects or cards; combined by or. Written: an object that was young, wherever it is now.
  enum Found : uint { None = 0, Old = 1, Young = 2, Written = 4 };

  static CardValue state(uint found) {
    return (found & Young) ? CardTable::dirty_card_val() : (found & Old) ? old_card : CardTable::clean_card_val();
  }
  // The more demanding of what the card says already and what was found. No card has two writers.
  static inline void raise(CardValue* card, uint found);

  static inline Found classify(oop h1_target);

  // Visits every reference that lies in, or belongs to, a card that the visitor
  // wants, once, and leaves each of these cards in the state that the visitor's
  // findings ask for. One thread per region.
  template <typename Visitor>
  static void scan(H2Region* region, Visitor* visitor);
};

// Visits references of H2. A visitor extends this class, with itself as Self, and replaces what it sees
// otherwise.
template <typename Self>
class H2CardVisitor : public StackObj {
 public:
  static bool wants(H2Cards::CardValue v) { return v != CardTable::clean_card_val(); }
  // Whether the program may have written what is there now, so that shapes are stale.
  static bool is_news(H2Cards::CardValue v) { return v == CardTable::dirty_card_val(); }

  // Whether the card, which is wanted, need not be read. Once for each of them, in the order of addresses.
  bool skips(HeapWord* card) { return false; }
  // Whether it keeps what is known of blocks as it reads dirty cards (see H2TargetsKeeper).
  static constexpr bool keeps_targets() { return false; }
  // The scan visits next all references from here to there, which count for `from`, or for another place on its card.
  void at(HeapWord* from, HeapWord* to) {}

  // The field p refers to an object of H2, or of H1. Return a combination of H2Cards::Found.
  template <typename T>
  uint visit_h2(T* p, oop obj) { return H2Cards::None; }
  template <typename T>
  uint visit_h1(T* p, oop obj);

  template <typename T>
  inline uint visit(T* p, oop obj);
};

#endif // SHARE_GC_H2_H2CARDS_HPP
