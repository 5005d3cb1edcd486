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

// The rows that a worker fills in a walk, one of each kind at a time. One thread at a time.
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

  static uint place_in(Row* row, size_t words, H2Walk* walk);

 public:
  explicit H2Rows(size_t h1_words);

  // Returns the label index of the object's row, and adds the object to the order, or to what is to follow.
  uint add(oop obj, const Klass* klass, size_t words, H2Walk* walk, H2ObjectList* order);
  // One kind after the other: a worker copies row by row, and so reads on in the order.
  void finish(H2ObjectList* order);
};

#endif // SHARE_GC_H2_H2ROWS_HPP
