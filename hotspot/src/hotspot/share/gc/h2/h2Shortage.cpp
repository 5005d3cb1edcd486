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

#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2References.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2ShapeMarking.hpp"
#include "gc/h2/h2Shortage.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/shared/gc_globals.hpp"

bool   H2Shortage::_refused = false;
uint   H2Shortage::_collections = 0;
uint   H2Shortage::_fruitless = 0;
size_t H2Shortage::_used = 0;
bool   H2Shortage::_is_early = false;
uint   H2Shortage::_fruitless_early = 0;
uint   H2Shortage::_owed_since = 0;

// After so many fruitless looks the wait does not become longer.
static const uint MostDoublings = 6;

bool H2Shortage::is_short() {
  const H2RegionTable* const regions = H2Heap::regions();
  return _refused || regions->available() < regions->length() / 8;
}

bool H2Shortage::has_waited() {
  const bool has_grown = H2Heap::used() > _used + _used / 4;
  return has_grown || _collections >= (1u << _fruitless);
}

// The next try takes two collections. Later ones are for another allocation.
bool H2Shortage::owes_look() {
  return _owed_since > 0 && _collections <= _owed_since + 2;
}

// One large object may find no room though H2 has plenty: a map whose table grows. A move is cheaper then.
bool H2Shortage::may_move_first() {
  const H2HeapUse h1 = H2Heap::collector()->use();
  return H2Auto && !H2Tags::are_used() && !_refused && !owes_look() && h1._old_used > h1._old_max / 4;
}

H2GarbageSnapshot H2Shortage::garbage(size_t used) {
  H2GarbageSnapshot s = {};
  s._used = used;
  s._left = _used;
  s._fruitless = _fruitless_early;
  return s;
}

bool H2Shortage::will_look_early(size_t more) {
  return H2Auto && !H2Tags::are_used() && H2GarbageRule::has_grown(garbage(H2Heap::used() + more));
}

bool H2Shortage::has_grown_cheaply() {
  if (!will_look_early(0)) {
    return false;
  }
  H2GarbageSnapshot s = garbage(H2Heap::used());
  s._to_read = H2ShapeMarking::prepare(false /* exact */);
  s._has_ssd = H2Path != nullptr;
  return H2GarbageRule::is_cheap(s);
}

const char* H2Shortage::reason_to_look(bool last_resort) {
  _collections++;
  _is_early = false;
  if (H2Heap::regions()->in_use() == 0) {
    return nullptr;
  }
  // A look in the collection just before has found what there is, but for what soft references hold.
  if (last_resort && (_collections > 1 || H2References::are_any_soft())) {
    if (may_move_first()) {
      _owed_since = _collections;
      return nullptr;
    }
    return "nothing else is left before an OutOfMemoryError";
  }
  if (is_short() && has_waited()) {
    return _refused ? "something found no room" : "its regions are nearly used up";
  }
  _is_early = has_grown_cheaply();
  return _is_early ? "it has grown, and a look is cheap" : nullptr;
}

void H2Shortage::looked(size_t used, size_t reclaimed, bool for_room) {
  if (_is_early) {
    _fruitless_early = reclaimed >= used / 8 ? 0 : _fruitless_early + 1;
  }
  if (reclaimed >= used / 8) {
    _fruitless = 0;
  } else if (for_room && !_is_early) {
    _fruitless = MIN2(_fruitless + 1, MostDoublings);
  }
  _collections = 0;
  _refused = false;
  _owed_since = 0;
  _used = H2Heap::used();
  _is_early = false;
}
