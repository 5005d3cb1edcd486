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

// Regions of H2, and their allocation. Built and run by units_test.sh.

#include "gc/h2/h2Allocator.cpp"
#include "gc/h2/h2LabelParts.cpp"
#include "gc/h2/h2ObjectStarts.cpp"
#include "gc/h2/h2Region.cpp"
#include "gc/h2/h2RegionFreer.cpp"
#include "gc/h2/h2RegionTable.cpp"

#include "check.hpp"

static const size_t RegionBytes = 64 * K;
static const uint   Regions = 256;

MemRegion       H2Heap::_range;
MemRegion       H2Heap::_young;
CardTable*      H2Heap::_cards;
H2ObjectStarts* H2Heap::_starts;
H2Backend*      H2Heap::_backend;
H2RegionTable*  H2Heap::_regions;

static H2RegionTable* regions() { return H2Heap::regions(); }

static void free_part(uint first, uint end) { H2RegionFreer(regions()).free_part(first, end); }

// An H2 of 16 MiB that nothing is in. No memory is touched there.
static void fresh(size_t unit_bytes = 16 * K) {
  H2Heap::_range = MemRegion((HeapWord*)(64 * M), Regions * RegionBytes / HeapWordSize);
  H2Heap::_cards = new CardTable(H2Heap::_range);
  H2Heap::_starts = new H2ObjectStarts(H2Heap::_range);
  H2Heap::_backend = new H2Backend();
  H2Heap::_backend->_unit_bytes = unit_bytes;
  H2Heap::_regions = new H2RegionTable(H2Heap::_range, RegionBytes, H2Heap::_cards, H2Heap::_starts);
  H2Allocator::initialize();
}

static void the_first_run_that_fits_is_taken() {
  fresh();
  check(regions()->allocate(1, 3)->head() == 0 && regions()->allocate(1, 2)->head() == 3 && regions()->allocate(1, 1)->head() == 5,
        "one behind the other");
  free_part(3, 5);
  check(regions()->allocate(2, 3)->head() == 6, "a gap of two has no room for three");
  check(regions()->allocate(2, 1)->head() == 3 && regions()->allocate(2, 1)->head() == 4, "it has for two");
  check(regions()->in_use() == 9 && regions()->freed() == 2 && regions()->limit() == 9, "the counts");
  check(regions()->allocate(2, Regions) == nullptr, "more than there is");
  check(regions()->allocate(2, Regions - 9) != nullptr && regions()->available() == 0, "all that is left");
}

static void a_run_is_freed_in_parts() {
  fresh();
  H2Region* const whole = regions()->allocate(1, 8);
  regions()->set_top(whole, regions()->address(7) + 10);
  whole->add_root(regions()->address(1), 11);
  whole->add_root(regions()->address(5), 15);
  whole->add_root(regions()->address(6), 16);
  whole->add_dependency(100);
  free_part(2, 5);
  check(whole->run() == 2 && whole->top() == regions()->address(2), "what lies before");
  H2Region* const rest = regions()->at(5);
  check(rest->is_in_use() && rest->run() == 3 && rest->top() == regions()->address(7) + 10 && rest->depends_on(100), "what lies behind");
  check(regions()->head(regions()->address(7)) == rest, "points to its head");
  std::vector<HeapWord*> roots;
  rest->keep_roots([&](HeapWord* p) { roots.push_back(p); return true; });
  check(roots == std::vector<HeapWord*>{regions()->address(5), regions()->address(6)}, "has its own roots");
  check(regions()->used_bytes() == 4 * RegionBytes + 80, "what is used");
  check(H2Heap::backend()->_discarded == std::vector<std::pair<size_t, size_t>>{{2 * RegionBytes, 3 * RegionBytes}}, "is given back");
}

static void neighbours_are_given_back_at_once() {
  fresh();
  H2Region* heads[4];
  for (H2Region*& head : heads) {
    head = regions()->allocate(1, 2);
  }
  {
    H2RegionFreer freer(regions());
    freer.free(heads[0]);
    freer.free(heads[1]);
    freer.free(heads[3]);
  }
  check(H2Heap::backend()->_discarded ==
        std::vector<std::pair<size_t, size_t>>{{0, 4 * RegionBytes}, {6 * RegionBytes, 2 * RegionBytes}}, "two calls for three runs");
}

static void new_runs_have_clean_cards() {
  fresh();
  H2Region* const region = regions()->allocate(1, 1);
  *H2Heap::cards()->byte_for(region->bottom() + 100) = CardTable::dirty_card_val();
  free_part(0, 1);
  regions()->allocate(1, 1);
  check(*H2Heap::cards()->byte_for(region->bottom() + 100) == CardTable::clean_card_val(), "whatever was there");
}

// As first fit says, region by region.
static void random_runs_are_as_in_a_list() {
  fresh();
  std::vector<int> owner(Regions, 0);   // 0: free
  std::vector<uint> heads;
  for (int step = 1; step < 3000; step++) {
    if (below(5) < 3) {
      const uint run = (uint)(below(8) == 0 ? 1 + below(20) : 1 + below(3));
      uint first = 0;
      while (first + run <= Regions && std::any_of(&owner[first], &owner[first] + run, [](int it) { return it != 0; })) {
        first++;
      }
      H2Region* const head = regions()->allocate(step, run);
      check((head == nullptr) == (first + run > Regions) && (head == nullptr || head->head() == first), "first fit");
      if (head != nullptr) {
        std::fill(&owner[first], &owner[first] + run, step);
        heads.push_back(first);
        regions()->set_top(head, head->bottom() + below(pointer_delta(head->end(), head->bottom()) + 1));
      }
    } else if (!heads.empty()) {
      const size_t at = below(heads.size());
      const uint first = heads[at];
      std::fill(&owner[first], &owner[first] + regions()->at(first)->run(), 0);
      free_part(first, first + regions()->at(first)->run());
      heads.erase(heads.begin() + at);
    }
    check(regions()->in_use() == (uint)std::count_if(owner.begin(), owner.end(), [](int it) { return it != 0; }), "regions in use");
    regions()->used_bytes();   // asserts that the sum is in step
  }
}

static const size_t Grain = 16 * K / HeapWordSize;

static bool begins_grain(const HeapWord* p) { return pointer_delta(p, H2Heap::start()) % Grain == 0; }

static void what_is_left_of_a_grain_holds_a_filler() {
  fresh();
  HeapWord* const start = H2Heap::start();
  for (size_t words = 1; words < 3 * Grain; words++) {
    HeapWord* const end = H2Allocator::pad_end(start + words);
    const size_t gap = pointer_delta(end, start + words);
    check(begins_grain(end) && (gap == 0 || gap >= CollectedHeap::min_fill_size()) && gap < Grain + CollectedHeap::min_fill_size(),
          "nothing, or room for a filler");
  }
  fresh(64 * K);
  check(H2Allocator::grain_words() == 64 * K / HeapWordSize, "a unit may be larger than a shape's block");
}

static void runs_of_a_label_grow() {
  fresh();
  check(H2Allocator::longest_run() == 2 * M / RegionBytes, "an eighth of a small H2");
  H2Allocator allocator(16 * M);
  std::vector<uint> runs;
  H2Region* last = nullptr;
  for (MemRegion lab = allocator.allocate_lab(1, 10, Grain); !lab.is_empty(); lab = allocator.allocate_lab(1, 10, Grain)) {
    H2Region* const head = regions()->head(lab.start());
    if (head != last) {
      runs.push_back(head->run());
      last = head;
    }
  }
  check(std::vector<uint>(runs.begin(), runs.begin() + 7) == std::vector<uint>{1, 2, 4, 8, 16, 32, 32}, "twice as long, up to the longest");
  check(regions()->available() == 0 && allocator.budget() == 0, "shorter ones fill the rest");
}

static void labs_do_not_exceed_what_is_wanted_and_may_be_had() {
  fresh();
  H2Allocator allocator(1 * M);
  MemRegion lab = allocator.allocate_lab(1, 10, 10);
  check(lab.word_size() == Grain && begins_grain(lab.start()), "a grain at least");
  lab = allocator.allocate_lab(1, 10, M);
  check(lab.word_size() <= H2Allocator::lab_words() && lab.word_size() % Grain == 0, "a LAB at most");
  lab = allocator.allocate_lab(2, Grain, Grain);
  check(lab.word_size() == 2 * Grain, "an object of a grain needs two, as a filler follows");
  H2Allocator poor(Grain * HeapWordSize);
  check(poor.allocate_lab(1, Grain, Grain).is_empty() && poor.allocate_large(1, 2 * Grain).is_empty(), "the backend takes no more");
  check(poor.allocate_lab(1, 10, M).word_size() == Grain && poor.budget() == 0, "what it takes");
}

static void what_a_lab_does_not_use_comes_back() {
  fresh();
  H2Allocator allocator(1 * M);
  MemRegion lab = allocator.allocate_lab(1, 10, 2 * Grain);
  const size_t budget = allocator.budget();
  check(allocator.retire(lab, lab.start() + 10).is_empty(), "nobody took what follows");
  check(allocator.budget() == budget + Grain * HeapWordSize, "so the budget has it again");
  check(regions()->head(lab.start())->top() == lab.start() + Grain, "and so has the region");
  lab = allocator.allocate_lab(1, 10, 2 * Grain);
  allocator.allocate_lab(1, 10, Grain);
  check(allocator.retire(lab, lab.start() + 10).word_size() == Grain, "a filler fills what lies between");
}

static void a_lab_ends_with_room_for_a_filler() {
  H2Lab lab(MemRegion(H2Heap::start(), 100));
  check(lab.allocate(99) == nullptr, "a word would be left");
  check(lab.allocate(98) == H2Heap::start() && lab.allocate(1) == nullptr, "two words are enough for a filler");
  check(lab.allocate(2) == H2Heap::start() + 98 && lab.top() == lab.space().end(), "nothing is left");
}

static void large_objects_have_runs_of_their_own() {
  fresh();
  H2Allocator allocator(16 * M);
  const size_t words = 20 * RegionBytes / HeapWordSize;
  const MemRegion large = allocator.allocate_large(1, words);
  check(regions()->head(large.start())->run() == 20 && !H2Allocator::has_open_run(1), "which nothing else fills");
  allocator.allocate_large(1, RegionBytes / HeapWordSize);
  check(H2Allocator::has_open_run(1), "smaller ones lie in the label's open run");
  free_part(20, 20 + regions()->at(20)->run());
  H2Allocator::forget_freed();
  check(!H2Allocator::has_open_run(1), "until it dies");
}

int main() {
  the_first_run_that_fits_is_taken();
  a_run_is_freed_in_parts();
  neighbours_are_given_back_at_once();
  new_runs_have_clean_cards();
  random_runs_are_as_in_a_list();
  what_is_left_of_a_grain_holds_a_filler();
  runs_of_a_label_grow();
  labs_do_not_exceed_what_is_wanted_and_may_be_had();
  what_a_lab_does_not_use_comes_back();
  a_lab_ends_with_room_for_a_filler();
  large_objects_have_runs_of_their_own();
  return report("regions and allocator");
}
