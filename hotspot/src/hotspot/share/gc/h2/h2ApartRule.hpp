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

#ifndef SHARE_GC_H2_H2APARTRULE_HPP
#define SHARE_GC_H2_H2APARTRULE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>

// How the program uses objects, as far as their classes tell.
enum class H2ObjectKind {
  Link,   // refers to others of its kind, and is relinked: a node of a list or a tree
  Leaf,   // a primitive array that is not small: the contents of what the others find
  Other
};

// Decides which objects lie apart from those that refer to them, in rows of their own. A list that
// orders what was used last is relinked with each use, at places that nobody else uses
// then. A search passes by many objects, and looks at the contents of one.
//
// Objects that are used more lie densely then. But a program that uses both has one fault
// more, if neither is in memory. So the part that is to stay there has to be small.
class H2ApartRule {
  // One of so many words at most.
  static const size_t Links = 8;
  static const size_t AllButLeaves = 6;

  size_t _links;
  size_t _leaves;
  size_t _words;  // of all kinds

 public:
  H2ApartRule() : _links(0), _leaves(0), _words(0) {}

  // Counts an object of so many words, and returns the kind of row in which it shall lie.
  H2ObjectKind row_for(H2ObjectKind kind, size_t words) {
    _words += words;
    _links += kind == H2ObjectKind::Link ? words : 0;
    _leaves += kind == H2ObjectKind::Leaf ? words : 0;
    const bool is_apart = kind == H2ObjectKind::Link ? _links * Links <= _words : (_words - _leaves) * AllButLeaves <= _words;
    return is_apart ? kind : H2ObjectKind::Other;
  }
};

#endif // SHARE_GC_H2_H2APARTRULE_HPP
