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

#ifndef SHARE_GC_H2_H2TAGS_HPP
#define SHARE_GC_H2_H2TAGS_HPP

#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"
#include "oops/weakHandle.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

// One tagged root. The handle is weak: a tag keeps nothing alive.
struct H2Tag {
  WeakHandle _root;
  jlong      _label;
};

// The side table of tags, and the labels whose move was asked for. Any thread
// may tag and ask; the table is read and pruned at a safepoint.
class H2Tags : AllStatic {
  static GrowableArrayCHeap<H2Tag, mtGC>* _tags;       // oldest first
  static GrowableArrayCHeap<jlong, mtGC>* _requested;

  static GrowableArrayCHeap<H2Tag, mtGC>* tags();
  static GrowableArrayCHeap<jlong, mtGC>* requested();

 public:
  static void add(oop root, jlong label);
  static void request_move(jlong label);

  // At a safepoint.
  static const GrowableArrayCHeap<H2Tag, mtGC>* all() { return tags(); }
  static bool is_requested(jlong label)               { return requested()->contains(label); }
  static bool has_requests()                          { return requested()->is_nonempty(); }
  static void clear_requests()                        { requested()->clear(); }
  // Drops the tags of dead and of moved roots, and all but a root's last tag.
  static void prune();

  static int count() { return _tags == nullptr ? 0 : _tags->length(); }
};

#endif // SHARE_GC_H2_H2TAGS_HPP
