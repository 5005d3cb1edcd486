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

#ifndef SHARE_GC_H2_H2HOLDERS_HPP
#define SHARE_GC_H2_H2HOLDERS_HPP

#include "memory/allocation.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/resourceHash.hpp"

// Finds what classes and the VM hold for long, and adds it to H2Held. At a safepoint,
// after marking.
class H2Holders : public StackObj {
  typedef ResizeableResourceHashtable<HeapWord*, bool, AnyObj::C_HEAP, mtGC> Opened;

  GrowableArrayCHeap<oop, mtGC> _bound;   // added, and what they are bound to not yet
  GrowableArrayCHeap<oop, mtGC> _closed;  // added, and what is in them not yet
  Opened                        _opened;  // all that were on that list

  void add_one(oop obj, bool constant);
  void open_later(oop obj);

 public:
  H2Holders();

  void add_all();

  // Adds the object, and what method handles and call sites among that are bound to.
  void add(oop obj, bool constant);
  // Adds also so many levels of elements, if it is an array.
  void add_with_elements(oop obj, bool constant, int levels);
  // Adds also what is in it, if it is a container, with what such objects have in containers.
  void add_with_contents(oop obj, bool constant);
};

#endif // SHARE_GC_H2_H2HOLDERS_HPP
