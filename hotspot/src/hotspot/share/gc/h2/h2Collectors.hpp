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

#ifndef SHARE_GC_H2_H2COLLECTORS_HPP
#define SHARE_GC_H2_H2COLLECTORS_HPP

#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/globalDefinitions.hpp"

class H2Collector;
struct H2TakenWords;

// The collectors that H2 works with. The files of gc/h2 name no collector; those of gc/h2/parallel name Parallel, for
// which H2Parallel answers. No collector defines the functions here: each is a line of h2Collectors.cpp or
// h2Collectors.inline.hpp that chooses a collector's function of that name.
//
// A second collector gets a folder beside parallel/: a subclass of H2Collector with the same static
// functions, which are then chosen by the collector's flag, its workers, and hooks like Parallel's.
// A collector that pins objects also adds is_pinned(), which H2Candidates::is_movable asks.
class H2Collectors : AllStatic {
 public:
  // At start, when the user chose none: chooses a collector that H2 works with. False if it
  // cannot.
  static bool select();
  // Whether the user has not switched it off.
  static bool may_be_chosen();
  // Says that H2 does not work with the collector that was chosen, and what to do; null if it does.
  static const char* refusal();
  // The one that was chosen.
  static H2Collector* make();

  // Is the object of H1 young?
  static inline bool is_young(oop obj);

  // Whether a full GC discovers references: marking may still reach what it has not.
  static inline bool is_discovering();

  // The marks of H1, in a full GC between marking and compaction.
  static inline bool is_marked(oop obj);
  // Takes the mark of an object that lives, so that later phases see a dead one. True for the one caller that took it. By any
  // worker, which tells take_words() of it later.
  static inline bool unmark(oop obj);
  // Gives it back, before that was told. By the caller that took it.
  static inline void mark_again(oop obj);
  // An object of so many words at p has lost its mark, and no longer counts as what lives.
  static inline void take_words(HeapWord* p, size_t words, H2TakenWords* taken);
  // When the worker has told of all.
  static inline void settle_words(H2TakenWords* taken);
  // The first marked object in [from, to); `to` if there is none.
  static inline HeapWord* first_marked(HeapWord* from, HeapWord* to);
  // The last marked object that begins at or before p, down to `from`; null if there is none.
  static inline HeapWord* last_marked(HeapWord* from, HeapWord* p);

  // Tells the old generation that an object fills [from, to). By any worker.
  static inline void record_old_object(HeapWord* from, HeapWord* to);
};

#endif // SHARE_GC_H2_H2COLLECTORS_HPP
