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

#include "gc/h2/h2Allocator.hpp"
#include "gc/h2/h2Rows.hpp"
#include "gc/h2/h2Walk.hpp"

H2Rows::H2Rows(size_t h1_words) :
  _kinds(), _rule(), _links{0, 0}, _leaves{0, 0}, _others{0, 0}, _links_order(h1_words), _leaves_order(h1_words) {}

// In the row, or in the next one if that is full.
uint H2Rows::place_in(Row* row, size_t words, H2Walk* walk) {
  if (words > row->_left) {
    *row = Row{walk->next_row(), H2Walk::row_words()};
  }
  row->_left -= words;
  return row->_label_index;
}

uint H2Rows::add(oop obj, const Klass* klass, size_t words, H2Walk* walk, H2ObjectList* order) {
  if (words > H2Allocator::large_words()) {
    order->append(obj);
    return walk->large();
  }
  switch (_rule.row_for(_kinds.kind_of(klass, words), words)) {
    case H2ObjectKind::Link:
      _links_order.append(obj);
      return place_in(&_links, words, walk);
    case H2ObjectKind::Leaf:
      _leaves_order.append(obj);
      return place_in(&_leaves, words, walk);
    default:
      order->append(obj);
      return place_in(&_others, words, walk);
  }
}

void H2Rows::finish(H2ObjectList* order) {
  order->take(&_links_order);
  order->take(&_leaves_order);
}
