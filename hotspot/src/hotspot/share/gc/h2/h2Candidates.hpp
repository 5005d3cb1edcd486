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

#ifndef SHARE_GC_H2_H2CANDIDATES_HPP
#define SHARE_GC_H2_H2CANDIDATES_HPP

#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"

class Klass;
class markWord;

// The objects chosen to move in the current full GC.
//
// A candidate has no mark any more: the worker that took it claimed the object. So it looks dead to the phases that follow.
// Its header is forwarded to a cookie, and to its address in H2 once that is assigned. The cookie names its label, and says
// whether the header had more to say (see H2PreservedMarks).
class H2Candidates : AllStatic {
  static inline size_t cookie(oop obj);

 public:
  // Whether the object, which is in H1 and lives, is one.
  static inline bool contains(oop obj);
  // True for the one caller that made it one. By any worker.
  static inline bool claim(oop obj);
  // It stays in H1, as if it had never been chosen. By one worker.
  static inline void release(oop obj, markWord mark);

  // Objects that may move: not references, mirrors, class loaders, threads, stack chunks
  // and continuations, and nothing that is locked.
  static bool is_movable(Klass* klass, markWord mark);
  // Weak and soft references: those that nobody has tagged, once it is known that their referents move.
  static bool is_movable_reference(Klass* klass, markWord mark);

  static inline void set_label(oop obj, uint label_index, bool is_preserved);
  static inline uint label_index(oop obj);
  static inline bool is_preserved(oop obj);
};

#endif // SHARE_GC_H2_H2CANDIDATES_HPP
