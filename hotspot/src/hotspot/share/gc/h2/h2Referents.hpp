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

#ifndef SHARE_GC_H2_H2REFERENTS_HPP
#define SHARE_GC_H2_H2REFERENTS_HPP

#include "gc/h2/h2ShapeCode.hpp"
#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/globalDefinitions.hpp"

class Klass;

// Referents of the WeakReferences and SoftReferences that lie in H2.
//
// A Reference moves along with its referent, or after it. From then on it keeps its referent alive, like any field, until a look:
// that one does not follow weak referents, and soft ones only while memory is not short. When all is marked, H2DeadReferents clears
// References whose referents were not reached. The JDK's thread for References gets them when the full GC has ended.
//
// Shapes say which objects are References. Where memory has to say it, marking and clearing agree by the flag that the shape has, or
// had: H2Shapes::has_referents(). Without it, a referent is a field like any other.
class H2Referents : AllStatic {
  static bool            _clears_soft;
  static volatile size_t _in_h2;        // References whose referents are there, too: those that the last look has kept, or that moved since
  static volatile size_t _in_h1;        // whose referents are there: they came back, or found no room
  static volatile bool   _are_any_soft; // since H2 was empty
  static oop             _cleared;      // the first of a list, linked by Reference.discovered

 public:
  // The class says what the first reference in a shape is.
  static H2ShapeEntry::Referent kind(Klass* klass);
  static oop referent(oop reference);
  // Where it is in the Reference.
  static void* field(oop reference);

  static void note_move(H2ShapeEntry::Referent kind, bool is_referent_in_h2);

  // A full GC begins. It clears soft referents, too, or does not.
  static void prepare(bool clears_soft) { _clears_soft = clears_soft; }
  // By marking of a look, or ahead of it.
  static bool is_followed(H2ShapeEntry::Referent kind) {
    return kind == H2ShapeEntry::NoReferent || (kind == H2ShapeEntry::Soft && !_clears_soft);
  }
  // Whether somebody looks at the block's References once marking is done.
  static bool are_looked_at(size_t block);

  // A look has counted References that keep their referents.
  static void found(size_t in_h2, size_t in_h1, bool is_exact);
  // It has cleared these, linked from the first to the last. By one thread.
  static void add_cleared(oop first, oop last);
  // The full GC ends, and nothing moves any more.
  static void full_finished();

  static size_t count()       { return _in_h2 + _in_h1; }
  static bool are_any_in_h1() { return _in_h1 > 0; }
  static bool are_any_soft()  { return _are_any_soft; }
};

#endif // SHARE_GC_H2_H2REFERENTS_HPP
