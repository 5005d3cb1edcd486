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

#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/shared/cardTable.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"
#include "runtime/os.hpp"
#include "runtime/safepoint.hpp"
#include "runtime/thread.hpp"
#include "utilities/powerOfTwo.hpp"

H2RegionTable::H2RegionTable(MemRegion range, size_t region_bytes, CardTable* cards, H2ObjectStarts* starts) :
  _range(range),
  _shift(log2i_exact(region_bytes)),
  _length(checked_cast<uint>(range.byte_size() >> _shift)),
  _cards(cards),
  _starts(starts),
  _regions(NEW_C_HEAP_ARRAY(H2Region, _length, mtH2Tables)),
  _limit(0),
  _in_use(0),
  _freed(0),
  _used_bytes(0),
  _hint(0) {}

void H2RegionTable::raise_limit(uint limit) {
  for (; _limit < limit; _limit++) {
    ::new (&_regions[_limit]) H2Region();
  }
}

H2Region* H2RegionTable::allocate(jlong label, uint run) {
  const uint first = find_free(run);
  if (first == _length) {
    return nullptr;
  }
  raise_limit(first + run);
  for (uint k = first + 1; k < first + run; k++) {
    _regions[k].continue_run(first);
  }
  H2Region* const head = at(first);
  head->start_run(label, first, run, address(first), address(first) + run * region_words());
  if (first == _hint) {
    _hint = first + run;
  }
  _in_use += run;
  CardTable::CardValue* const cards = _cards->byte_for(head->bottom());
  memset(cards, CardTable::clean_card_val(), pointer_delta(head->end(), head->bottom(), 1) >> CardTable::card_shift());
  return head;
}

// Index of the first of so many free regions; _length if there are none.
uint H2RegionTable::find_free(uint run) const {
  uint first = _hint;
  uint i = _hint;
  while (i < _limit && i - first < run) {
    if (_regions[i].is_free()) {
      i++;
    } else {
      assert(_regions[i].is_in_use(), "a run's first region comes first");
      i += _regions[i].run();
      first = i;
    }
  }
  return _length - first >= run ? first : _length;
}

void H2RegionTable::set_free(H2Region* head) {
  assert(head->is_in_use(), "only whole runs are freed");
  const uint first = head->head();
  const uint run = head->run();
  Atomic::sub(&_used_bytes, head->used_bytes());
  for (uint i = first; i < first + run; i++) {
    _regions[i].free();
  }
  _in_use -= run;
  _freed += run;
  _hint = MIN2(_hint, first);
}

void H2RegionTable::set_part_free(uint first, uint end) {
  H2Region* const whole = at(at(first)->head());
  const uint whole_end = whole->head() + whole->run();
  assert(whole->is_in_use() && first < end && end <= whole_end, "not a part of a run");
  HeapWord* const top = whole->top();
  Atomic::sub(&_used_bytes, pointer_delta(MIN2(address(end), top), MIN2(address(first), top), 1));
  if (end < whole_end) {
    at(end)->become_rest_of(whole, end, address(end));
    for (uint i = end + 1; i < whole_end; i++) {
      at(i)->set_head(end);
    }
  }
  if (first > whole->head()) {
    whole->shorten(first - whole->head(), address(first));
  }
  for (uint i = first; i < end; i++) {
    at(i)->free();
  }
  _in_use -= end - first;
  _freed += end - first;
  _hint = MIN2(_hint, first);
}

bool H2RegionTable::are_free(uint first, uint end) const {
  for (uint i = first; i < MIN2(end, _limit); i++) {
    if (!_regions[i].is_free()) {
      return false;
    }
  }
  return true;
}

MemRegion H2RegionTable::cards_of(MemRegion mr) const {
  return MemRegion((HeapWord*)_cards->byte_for(mr.start()), (HeapWord*)(_cards->byte_for(mr.last()) + 1));
}

// Gives back the pages of the tables that serve free regions only. Several small
// regions share one.
void H2RegionTable::disclaim_tables(uint first, uint end) {
  const size_t served = os::vm_page_size() << CardTable::card_shift();
  const uint step = MAX2(checked_cast<uint>(served >> _shift), 1u);
  for (uint i = align_down(first, step); i < end; i += step) {
    const uint next = MIN2(i + step, _length);
    if (are_free(i, next)) {
      const MemRegion heap(address(i), address(next));
      const MemRegion cards = cards_of(heap);
      const MemRegion starts = _starts->entries(heap);
      os::disclaim_memory((char*)cards.start(), cards.byte_size());
      os::disclaim_memory((char*)starts.start(), starts.byte_size());
    }
  }
}

static size_t resident_bytes(MemRegion table) {
  address from = (address)table.start();
  const address end = (address)table.end();
  size_t sum = 0;
  address found;
  size_t bytes;
  while (from < end && os::committed_in_range(from, pointer_delta(end, from, 1), found, bytes)) {
    sum += bytes;
    from = found + bytes;
  }
  return sum;
}

size_t H2RegionTable::table_bytes() const {
  return resident_bytes(cards_of(_range)) + resident_bytes(_starts->entries(_range));
}

void H2RegionTable::set_top(H2Region* head, HeapWord* p) {
  // Where it ends earlier, the difference wraps.
  Atomic::add(&_used_bytes, (size_t)((char*)p - (char*)head->top()));
  head->set_top(p);
}

size_t H2RegionTable::used_bytes() const {
  assert(!SafepointSynchronize::is_at_safepoint() || !Thread::current()->is_VM_thread() ||
         _used_bytes == count_used_bytes(), "out of step");
  return Atomic::load(&_used_bytes);
}

#ifdef ASSERT
size_t H2RegionTable::count_used_bytes() const {
  size_t bytes = 0;
  for (uint i = 0; i < _limit; i++) {
    if (_regions[i].is_in_use()) {
      bytes += _regions[i].used_bytes();
    }
  }
  return bytes;
}
#endif
