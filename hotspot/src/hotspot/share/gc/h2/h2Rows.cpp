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

H2Rows::Row* H2Rows::row(H2ObjectKind kind) {
  switch (kind) {
    case H2ObjectKind::Link: return &_links;
    case H2ObjectKind::Leaf: return &_leaves;
    default:                 return &_others;
  }
}

H2ObjectList* H2Rows::list(H2ObjectKind kind, H2ObjectList* order) {
  switch (kind) {
    case H2ObjectKind::Link: return &_links_order;
    case H2ObjectKind::Leaf: return &_leaves_order;
    default:                 return order;
  }
}

H2ObjectKind H2Rows::add(oop obj, const Klass* klass, size_t words, H2ObjectList* order) {
  // Large objects lie by themselves anyway.
  const bool is_large = words > H2Allocator::large_words();
  const H2ObjectKind kind = is_large ? H2ObjectKind::Other : _rule.row_for(_kinds.kind_of(klass, words), words);
  list(kind, order)->append(obj);
  return kind;
}

uint H2Rows::label_index(H2ObjectKind kind, size_t words, H2Walk* walk) {
  if (words > H2Allocator::large_words()) {
    return walk->large();
  }
  Row* const open = row(kind);
  if (words > open->_left) {
    *open = Row{walk->next_row(), H2Walk::row_words()};
  }
  open->_left -= words;
  return open->_label_index;
}

void H2Rows::finish(H2ObjectList* order) {
  order->take(&_links_order);
  order->take(&_leaves_order);
}
