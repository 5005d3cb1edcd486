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

// A full GC knows lists of references to H1, and all GCs keep these. The test runs young GCs, marking and adjusting as
// they are, over random objects and writes. After each, lists say what memory says. units_test.sh builds and runs it.

#include "gc/h2/h2Adjuster.cpp"
#include "gc/h2/h2ByteBuffer.cpp"
#include "gc/h2/h2LabelParts.cpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/h2/h2MarkingScan.inline.hpp"
#include "gc/h2/h2ObjectStarts.cpp"
#include "gc/h2/h2Patcher.cpp"
#include "gc/h2/h2Region.cpp"
#include "gc/h2/h2RegionQueue.cpp"
#include "gc/h2/h2RegionTable.cpp"
#include "gc/h2/h2Targets.cpp"
#include "gc/h2/h2TargetsKeeper.cpp"
#include "gc/h2/h2YoungGC.inline.hpp"

#include "check.hpp"
#include <set>

static const size_t Words = 20 * K;
static const size_t Blocks = Words * HeapWordSize / H2ShapeBlockBytes;
static const size_t RegionBytes = 32 * K;
static const uint   Regions = Words * HeapWordSize / RegionBytes;   // one run
static const size_t OldWords = 3 * K;
static const size_t YoungWords = K;
static const size_t PartOfLimit = 32;   // the part that lists may take
static const size_t Enough = K * M;

static HeapWord h2[Words + 64];
static HeapWord h1[OldWords + YoungWords];

MemRegion       H2Heap::_range;
MemRegion       H2Heap::_h1;
MemRegion       H2Heap::_young;
CardTable*      H2Heap::_cards;
H2ObjectStarts* H2Heap::_starts;
H2Backend*      H2Heap::_backend;
H2RegionTable*  H2Heap::_regions;

H2RegionClaimer H2YoungGC::_claimer;
H2RegionQueue*  H2Marking::_pending;

void H2YoungGC::prepare()         { _claimer.reset(); }
void H2Marking::mark_region(uint) {}

// The only region is live.
void H2Marking::prepare() {
  delete _pending;
  _pending = new H2RegionQueue(1);
  _pending->push(0);
}

static size_t limit = Enough;
size_t H2Limits::memory_limit() { return limit; }

typedef std::vector<std::pair<char*, HeapWord*>> Places;   // of references, and their targets
typedef std::set<HeapWord*>                      Targets;

static Places places(const H2Targets::References& references) {
  Places all;
  for (const H2Targets::Reference& reference : references) {
    all.emplace_back(reference._place, reference._target);
  }
  return all;
}

static Targets targets(const Places& places) {
  Targets all;
  for (const auto& it : places) {
    all.insert(it.second);
  }
  return all;
}

static Places together(const std::vector<Places>& of_blocks) {
  Places all;
  for (const Places& places : of_blocks) {
    all.insert(all.end(), places.begin(), places.end());
  }
  return all;
}

static Places listed_places(size_t block) {
  H2Targets::References references;
  H2Targets::references(block, &references);
  return places(references);
}

static Targets listed_targets(size_t block) {
  Targets all;
  H2Targets::each(block, [&](oop target) {
    check(all.empty() || *all.rbegin() < (HeapWord*)target, "a list has each target once, in order");
    all.insert((HeapWord*)target);
  });
  return all;
}

static void forget_all() {
  for (size_t block = 0; block < Blocks; block++) {
    H2Targets::forget(block);
  }
  check(H2Targets::bytes() == 0, "no list takes memory any more");
}

static void fresh() {
  H2Heap::_range = MemRegion(align_up(h2, 512), Words);
  H2Heap::_h1 = MemRegion(h1, OldWords + YoungWords);
  H2Heap::_young = MemRegion(h1 + OldWords, YoungWords);
  delete H2Heap::_cards;
  H2Heap::_cards = new CardTable(H2Heap::_range);
  H2Heap::_starts = new H2ObjectStarts(H2Heap::_range);
  H2Heap::_regions = new H2RegionTable(H2Heap::_range, RegionBytes, H2Heap::_cards, H2Heap::_starts);
  limit = Enough;
  forget_all();
}

// An instance may reach far behind the block.
static H2Targets::References random_references(size_t block) {
  H2Targets::References all;
  const size_t step = below(2) == 0 ? 4 : 8;
  const size_t different = 1 + below(100);
  char* place = (char*)H2Shapes::address(block) + step * below(3);
  for (size_t n = below(300); n > 0; n--) {
    all.append(H2Targets::Reference{place, h1 + below(different) * (OldWords / different)});
    place += step * (1 + below(below(10) == 0 ? 200 : 20));
  }
  return all;
}

static void check_list(size_t block, const Places& put) {
  check(H2Targets::has_list(block) && H2Targets::has_places(block), "a list is known, with places");
  check(listed_places(block) == put, "it has the references that were put");
  check(listed_targets(block) == targets(put), "it has their targets");
}

static void lists_say_what_was_put() {
  fresh();
  for (int round = 0; round < 100 && failures == 0; round++) {
    Places put[Blocks];
    for (size_t block = 0; block < Blocks; block++) {
      const H2Targets::References references = random_references(block);
      put[block] = places(references);
      H2Targets::set(block, references);
    }
    for (size_t block = 0; block < Blocks; block++) {
      check_list(block, put[block]);
    }
  }
  forget_all();
}

static void no_reference_is_known_as_well() {
  fresh();
  check(!H2Targets::has_list(3), "at first nothing is known");
  H2Targets::set(3, H2Targets::References());
  check_list(3, Places());
  check(H2Targets::are_known(3), "no card is dirty");
  *H2Heap::cards()->byte_for(H2Shapes::address(4) - 1) = CardTable::dirty_card_val();
  check(H2Targets::has_list(3) && !H2Targets::are_known(3), "a dirty card remembers more");
  H2Targets::forget(3);
  check(!H2Targets::has_list(3), "nothing is known any more");
}

// A list without memory has no places, or there is none.
static void within_a_limit_no_list_is_wrong() {
  fresh();
  size_t without_list = 0;
  size_t without_places = 0;
  size_t whole = 0;
  for (int round = 0; round < 1000 && failures == 0; round++) {
    limit = PartOfLimit * below(500);
    const H2Targets::References references = random_references(5);
    H2Targets::set(5, references);
    check(H2Targets::bytes() <= limit / PartOfLimit, "lists take their part at most");
    const bool has_list = H2Targets::has_list(5);
    check(!has_list || listed_targets(5) == targets(places(references)), "a list has all targets");
    const bool has_places = H2Targets::has_places(5);
    check(!has_places || listed_places(5) == places(references), "one with places has all of them");
    (has_places ? whole : has_list ? without_places : without_list)++;
  }
  check(failures > 0 || (without_list > 50 && without_places > 50 && whole > 50), "each comes about");
  forget_all();
}

static void without_memory_there_is_no_list() {
  fresh();
  H2Targets::set(7, random_references(7));
  os::out_of_memory() = true;
  H2Targets::set(7, random_references(7));
  check(!H2Targets::has_list(7) && H2Targets::bytes() == 0, "the old list is gone, and there is no new one");
  H2Targets::set(7000, H2Targets::References());
  check(!H2Targets::has_list(7000), "not even a chunk for it");
  os::out_of_memory() = false;
}

// Pruning frees what holds no more, and nothing else.
static void pruned_lists_take_no_memory() {
  fresh();
  const H2Targets::References references = random_references(2);
  H2Targets::set(1, random_references(1));
  H2Targets::set(2, references);
  H2Shapes::note_stale(H2Shapes::address(1));
  const size_t both = H2Targets::bytes();
  H2Targets::prune();
  check(!H2Targets::has_list(1) && H2Targets::bytes() < both, "the list of the block that is stale");
  check_list(2, places(references));
  forget_all();
}

static std::vector<oop> objects;

static H2Region* region()     { return H2Heap::regions()->at(0); }
static bool is_young(oop obj) { return H2Heap::_young.contains(obj); }
static oop random_old()       { return (oop)&h1[below(OldWords)]; }
static oop random_young()     { return (oop)&h1[OldWords + below(YoungWords)]; }

static void fresh_region() {
  fresh();
  objects.clear();
  H2Heap::regions()->allocate(1, Regions);
}

// Comes behind the others. No field has a value yet.
static oop place(size_t words, oopDesc::Kind kind) {
  HeapWord* const p = region()->top();
  oop const obj = cast_to_oop(p);
  *obj = oopDesc{(uint32_t)words, kind};
  memset((void*)(p + 1), 0, (words - 1) * HeapWordSize);
  objects.push_back(obj);
  H2Heap::starts()->update_for_block(p, p + words);
  H2Heap::regions()->set_top(region(), p + words);
  return obj;
}

// A row of objects of all kinds, small ones and some that span cards and blocks.
static void fill_region() {
  const size_t one_large_in = 1 + below(20);
  HeapWord* const end = region()->top() + Words - below(100);
  while (region()->top() < end) {
    const size_t wanted = 2 + below(below(one_large_in) > 0 ? 20 : below(10) == 0 ? 5000 : 500);
    place(MIN2(wanted, pointer_delta(end, region()->top())), (oopDesc::Kind)below(3));
  }
}

typedef H2Cards::CardValue CardValue;

static CardValue* card(const void* p) { return H2Heap::cards()->byte_for(p); }

// As the barrier does: the card of an element, but that of the header or of the field for an instance.
static void write(oop obj, size_t i, oop value, bool at_header) {
  *obj->field(i) = value;
  *card(obj->is_objArray() || !at_header ? (void*)obj->field(i) : (void*)obj) = CardTable::dirty_card_val();
}

static void write_somewhere(size_t times) {
  for (size_t n = 0; n < times; n++) {
    oop const obj = objects[below(objects.size())];
    if (obj->fields() > 0) {
      const size_t kind = below(4);
      oop const value = kind == 0 ? nullptr : kind == 1 ? objects[below(objects.size())] : kind == 2 ? random_old() : random_young();
      write(obj, below(obj->fields()), value, below(2) == 0);
    }
  }
}

// A dirty card remembers the reference, so the block's list need not have it.
static bool may_be_missing(size_t block, oop obj, const void* field) {
  const bool is_dirty = *card(field) == CardTable::dirty_card_val() || (!obj->is_objArray() && *card(obj) == CardTable::dirty_card_val());
  return is_dirty && !H2Targets::are_known(block);
}

// The references to H1 that memory has, for each block. All, or those that a list must have.
static std::vector<Places> references_in_memory(bool all) {
  std::vector<Places> found(Blocks);
  for (oop obj : objects) {
    for (size_t i = 0; i < obj->fields(); i++) {
      oop* const field = obj->field(i);
      if (*field != nullptr && !H2Heap::contains(*field)) {
        const size_t block = H2Shapes::block(obj->is_objArray() ? (void*)field : (void*)obj);
        if (all || !may_be_missing(block, obj, field)) {
          found[block].emplace_back((char*)field, (HeapWord*)*field);
        }
      }
    }
  }
  return found;
}

static oop object_at(const void* p) { return cast_to_oop(H2Heap::starts()->object_start((HeapWord*)p)); }

static Places without_missing(size_t block, const Places& places) {
  Places left;
  for (const auto& it : places) {
    if (!may_be_missing(block, object_at(it.first), it.first)) {
      left.push_back(it);
    }
  }
  return left;
}

static bool includes(const Targets& all, const Targets& some) { return std::includes(all.begin(), all.end(), some.begin(), some.end()); }

// After a scan, and before the program writes again.
static void check_lists() {
  const std::vector<Places> memory = references_in_memory(false);
  for (size_t block = 0; block < Blocks; block++) {
    if (!H2Targets::has_list(block)) {
      continue;
    }
    const Targets listed = listed_targets(block);
    check(includes(listed, targets(memory[block])), "a list has all targets but those of dirty cards");
    check(!H2Targets::are_known(block) || listed == targets(memory[block]), "it has no others");
    check(!H2Targets::has_places(block) || without_missing(block, listed_places(block)) == memory[block], "the places are those in memory");
  }
}

// The collector stands here for one worker. It notes what H2 marks, and promotes at random.
class Worker {
  Targets _marked;
  size_t  _read;   // references

 public:
  Worker() : _marked(), _read(0) {}

  oop promote(oop)             { return below(2) == 0 ? random_young() : random_old(); }
  void drain()                 {}
  void keep(ClassLoaderData*)  {}
  void mark_target(oop obj)    { _marked.insert((HeapWord*)obj); }
  void mark_and_push(oop* p) {
    mark_target(*p);
    _read++;
  }

  const Targets& marked() const  { return _marked; }
  size_t read() const            { return _read; }
};

// A young GC finds references to young objects by dirty cards. A full GC finds all of an instance by the header's card.
static void check_cards() {
  for (const auto& it : together(references_in_memory(true))) {
    oop const obj = object_at(it.first);
    const CardValue own = *card(it.first);
    const CardValue header = obj->is_objArray() ? own : *card(obj);
    const bool is_dirty = own == CardTable::dirty_card_val() || header == CardTable::dirty_card_val();
    check(is_dirty || !is_young((oop)it.second), "a reference to a young object has a dirty card");
    check(header != CardTable::clean_card_val(), "an element's card, or that of a header, tells of H1");
  }
}

static size_t kept = 0;     // lists of blocks of which a young GC has read cards
static size_t begun = 0;    // lists that a young GC made
static size_t unread = 0;   // references that a full GC did not read as it marked
static size_t made = 0;     // lists that a full GC made as it adjusted references

// A young object becomes old, or survives once more.
static void young_gc() {
  enum { None, Waits, Changes } list[Blocks];
  for (size_t block = 0; block < Blocks; block++) {
    const bool has_list = H2Targets::has_list(block);
    list[block] = !has_list ? None : H2Targets::are_known(block) || listed_targets(block).empty() ? Waits : Changes;
  }
  H2YoungGC::prepare();
  Worker worker;
  H2YoungGC::scan_roots(&worker);
  for (size_t block = 0; block < Blocks; block++) {
    kept += list[block] == Changes && H2Targets::has_list(block) ? 1 : 0;
    begun += list[block] == None && H2Targets::has_list(block) ? 1 : 0;
  }
}

// The program may have written to the block's last instance, and only a card of the next block says so.
static bool reaches_out(size_t block) {
  HeapWord* const end = H2Shapes::address(block + 1);
  oop const obj = object_at(MIN2(end, region()->top()) - 1);
  return !obj->is_objArray() && (HeapWord*)obj + obj->size() > end;
}

// A list that is known is marked whole.
static Targets may_be_marked(const Targets& must_be) {
  Targets all = must_be;
  for (size_t block = 0; block < Blocks; block++) {
    if (H2Targets::are_known(block) && reaches_out(block)) {
      const Targets listed = listed_targets(block);
      all.insert(listed.begin(), listed.end());
    }
  }
  return all;
}

static void mark() {
  const Places all = together(references_in_memory(true));
  const Targets may_be = may_be_marked(targets(all));
  H2Marking::prepare();
  Worker worker;
  check(H2Marking::scan_pending_region(&worker) && !H2Marking::scan_pending_region(&worker), "the region waited");
  check(includes(worker.marked(), targets(all)), "all targets are marked");
  check(includes(may_be, worker.marked()), "nothing else is marked");
  unread += all.size() - worker.read();
}

// The old generation may be full: then young objects stay young, or where they are. Some objects move to H2.
static void forward(const Targets& marked) {
  const size_t part = below(2) == 0 ? 50 : 3;
  FullGCForwarding::moves().clear();
  for (HeapWord* target : below(3) == 0 ? Targets() : marked) {
    if (below(part) == 0) {
      oop const old = below(8) == 0 ? objects[below(objects.size())] : random_old();
      FullGCForwarding::moves()[(oop)target] = is_young((oop)target) && below(4) == 0 ? random_young() : old;
    }
  }
}

static void adjust() {
  const Places before = together(references_in_memory(true));
  bool had_list[Blocks];
  for (size_t block = 0; block < Blocks; block++) {
    had_list[block] = H2Targets::has_list(block);
  }
  H2Adjuster().work();
  for (const auto& it : before) {
    oop const target = (oop)it.second;
    const bool moves = FullGCForwarding::is_forwarded(target);
    check(*(oop*)it.first == (moves ? FullGCForwarding::forwardee(target) : target), "a reference follows its target");
  }
  for (size_t block = 0; block < Blocks; block++) {
    made += !had_list[block] && H2Targets::has_list(block) ? 1 : 0;
  }
}

static void full_gc() {
  mark();
  check_lists();
  forward(targets(together(references_in_memory(true))));
  adjust();
  check_lists();
  H2Targets::prune();
}

// Others that look at H2 may end what is known. Lists of other regions may take the memory.
static void disturb() {
  if (below(2) == 0) {
    H2Targets::forget(below(Blocks));
  }
  if (below(4) == 0) {
    H2Shapes::note_stale(H2Shapes::address(below(Blocks)));
  }
  limit = below(4) == 0 ? PartOfLimit * below(4 * K) : Enough;
}

static void lists_are_kept_as_cards_are_read() {
  for (int round = 0; round < 600 && failures == 0; round++) {
    fresh_region();
    fill_region();
    for (int gc = 0; gc < 8; gc++) {
      write_somewhere(below(3) == 0 ? 400 : below(20));
      disturb();
      below(4) == 0 ? full_gc() : young_gc();
      check_lists();
      check_cards();
    }
  }
}

// The only dirty card of a block has nothing of that block: an instance of another one, and numbers.
static void a_dirty_card_may_have_nothing_of_its_block() {
  fresh_region();
  place(H2Shapes::block_words() - 4, oopDesc::Numbers);
  oop const instance = place(10, oopDesc::Instance);
  place(100, oopDesc::Numbers);
  write(place(10, oopDesc::Objects), 0, random_old(), false);
  young_gc();
  check(H2Targets::has_places(1) && listed_places(1).size() == 1, "the list has the array's element");
  write(instance, 8, random_old(), false);
  check(!H2Targets::are_known(1), "the instance's field is on another card of the block");
  mark();
  check_lists();
}

// A block that is not read keeps its list, or has none, though its last instance is read for a card of the next block.
static void a_list_is_whole_though_the_next_block_is_read() {
  fresh_region();
  write(place(10, oopDesc::Objects), 0, (oop)&h1[100], false);
  place(H2Shapes::block_words() - 14, oopDesc::Numbers);
  oop const reaches_in = place(10, oopDesc::Instance);
  write(reaches_in, 8, (oop)&h1[200], true);
  write(place(10, oopDesc::Instance), 0, (oop)&h1[300], true);
  young_gc();
  check(H2Targets::are_known(0) && listed_places(0).size() == 2 && H2Targets::are_known(1), "the first block is known");
  H2Targets::forget(1);
  FullGCForwarding::moves() = {{(oop)&h1[300], reaches_in}};
  adjust();
  check_lists();
}

int main() {
  lists_say_what_was_put();
  no_reference_is_known_as_well();
  within_a_limit_no_list_is_wrong();
  without_memory_there_is_no_list();
  pruned_lists_take_no_memory();
  a_dirty_card_may_have_nothing_of_its_block();
  a_list_is_whole_though_the_next_block_is_read();
  lists_are_kept_as_cards_are_read();
  check(failures > 0 || (kept > 1000 && begun > 1000 && unread > 1000 && made > 1000), "lists are kept, begun and used");
  return report("targets of blocks");
}
