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

#ifndef SHARE_GC_H2_H2ROWS_HPP
#define SHARE_GC_H2_H2ROWS_HPP

#include "gc/h2/h2ApartRule.hpp"
#include "gc/h2/h2ObjectKinds.hpp"
#include "gc/h2/h2ObjectList.hpp"
#include "oops/oopsHierarchy.hpp"

class H2Walk;
class Klass;

// The rows that a worker fills: one of each kind at a time in a walk, while a group has its label. One thread at a time.
class H2Rows {
  struct Row {
    uint   _label_index;
    size_t _left;         // words
  };

  H2ObjectKinds _kinds;
  H2ApartRule   _rule;
  Row           _links;
  Row           _leaves;
  Row           _others;
  H2ObjectList  _links_order;   // those that lie apart, until they follow the others
  H2ObjectList  _leaves_order;

  Row* row(H2ObjectKind kind);
  H2ObjectList* list(H2ObjectKind kind, H2ObjectList* order);

 public:
  explicit H2Rows(size_t h1_words);

  // Adds the object to the order, or to what is to follow. Returns the kind of row in which it lies.
  H2ObjectKind add(oop obj, const Klass* klass, size_t words, H2ObjectList* order);
  // The label index of the row, or of the next one if that is full.
  uint label_index(H2ObjectKind kind, size_t words, H2Walk* walk);
  // One kind after the other: a worker copies label by label, in this order.
  void finish(H2ObjectList* order);
};

#endif // SHARE_GC_H2_H2ROWS_HPP
