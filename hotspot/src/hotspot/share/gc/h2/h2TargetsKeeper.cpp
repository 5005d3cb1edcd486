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

#include "gc/h2/h2TargetsKeeper.hpp"

int H2TargetsKeeper::compare(Found* a, Found* b) {
  if (a->_block != b->_block) {
    return a->_block < b->_block ? -1 : 1;
  }
  return H2Targets::compare(&a->_reference, &b->_reference);
}

bool H2TargetsKeeper::is_same(const H2Targets::References& a, const H2Targets::References& b) {
  if (a.length() != b.length()) {
    return false;
  }
  for (int i = 0; i < a.length(); i++) {
    if (a.at(i)._place != b.at(i)._place || a.at(i)._target != b.at(i)._target) {
      return false;
    }
  }
  return true;
}

// The first part of a block comes before the scan changes any of its cards. An instance in it may come later once more, as a card of
// the next block is read.
bool H2TargetsKeeper::begin(size_t block) {
  if (H2Targets::has_places(block) || is_new(block)) {
    return true;
  }
  if (H2Targets::has_list(block)) {
    H2Targets::forget(block);
    return false;
  }
  if (H2Targets::has_old_card(block)) {
    return false;
  }
  _new.append(block);
  return true;
}

void H2TargetsKeeper::at(HeapWord* from, HeapWord* to) {
  const size_t block = H2Shapes::block(from);
  if (block != _block) {
    _block = block;
    _keeps = begin(block);
  }
  if (_keeps) {
    _parts.append(Part{from, to});
  }
}

// Adds what lies in none of the block's parts. Returns the first part behind the block.
int H2TargetsKeeper::add_rest(int part, size_t block) {
  for (const H2Targets::Reference& reference : _before) {
    while (part < _parts.length() && H2Shapes::block(_parts.at(part)._from) == block && (char*)_parts.at(part)._to <= reference._place) {
      part++;
    }
    const bool is_read = part < _parts.length() && H2Shapes::block(_parts.at(part)._from) == block &&
                         (char*)_parts.at(part)._from <= reference._place;
    if (!is_read) {
      _after.append(reference);
    }
  }
  while (part < _parts.length() && H2Shapes::block(_parts.at(part)._from) == block) {
    part++;
  }
  return part;
}

int H2TargetsKeeper::add_found(int found, size_t block) {
  for (; found < _found.length() && _found.at(found)._block == block; found++) {
    _after.append(_found.at(found)._reference);
  }
  return found;
}

// The first block of which a part is left, or that is expected.
size_t H2TargetsKeeper::next_block(int part, int* expected) const {
  const size_t with_part = part < _parts.length() ? H2Shapes::block(_parts.at(part)._from) : SIZE_MAX;
  const size_t wanted = *expected < _expected.length() ? _expected.at(*expected) : SIZE_MAX;
  if (wanted <= with_part) {
    (*expected)++;
  }
  return MIN2(with_part, wanted);
}

void H2TargetsKeeper::renew(size_t block, int* part, int* found) {
  _before.clear();
  _after.clear();
  if (H2Targets::has_places(block)) {
    H2Targets::references(block, &_before);
  }
  *part = add_rest(*part, block);
  *found = add_found(*found, block);
  _after.sort(H2Targets::compare);
  if (!is_same(_before, _after) || !H2Targets::has_places(block)) {
    H2Targets::set(block, _after);
  }
}
