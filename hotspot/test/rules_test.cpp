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

// Tables for the rules of gc/h2 that name nothing of HotSpot. Built and run by rules_test.sh.

#include "gc/h2/h2ApartRule.hpp"
#include "gc/h2/h2AutoRule.hpp"
#include "gc/h2/h2DivisionRule.hpp"
#include "gc/h2/h2DueRule.hpp"
#include "gc/h2/h2EarlyGCRule.hpp"
#include "gc/h2/h2GarbageRule.hpp"
#include "gc/h2/h2GatherRule.hpp"
#include "gc/h2/h2HotRule.hpp"
#include "gc/h2/h2KeptRule.hpp"
#include "gc/h2/h2LoanRule.hpp"
#include "gc/h2/h2LookRule.hpp"
#include "gc/h2/h2OccupancyRule.hpp"
#include "gc/h2/h2ProgramRule.hpp"
#include "gc/h2/h2RefaultSlot.hpp"
#include "gc/h2/h2ShapesRule.hpp"
#include "gc/h2/h2SharingRule.hpp"
#include "gc/h2/h2UnitRule.hpp"
#include "gc/h2/h2WrittenRate.hpp"

#include <stdio.h>
#include <string.h>

static int failures = 0;

static void check(bool good, const char* what) {
  if (!good) {
    printf("FAILED: %s\n", what);
    failures++;
  }
}

static const size_t M = 1024 * 1024;

typedef H2LookOccasion Occasion;

// 8,000 references to an H2 of 100 MiB; something has changed, and H1 is half full, as after the last look.
static H2LookSnapshot usual(Occasion occasion) {
  H2LookSnapshot s;
  s._occasion = occasion;
  s._references = 8000;
  s._changed = true;
  s._h2_used = 100 * M;
  s._old_used = 50 * M;
  s._old_least = 50 * M;
  s._old_max = 100 * M;
  s._collections = 1;
  s._fruitless = 0;
  s._took = 0;
  s._since = 0;
  return s;
}

static bool looks(const H2LookSnapshot& s) { return H2LookRule::reason(s) != nullptr; }

static void who_asks() {
  check(looks(usual(Occasion::Asked)), "System.gc() finds what died");
  check(looks(usual(Occasion::Short)), "direct memory is short");
  check(!looks(usual(Occasion::Other)), "nobody asks, and H1 does not fill up");
  check(strcmp(H2LookRule::reason(usual(Occasion::Asked)), H2LookRule::reason(usual(Occasion::Short))) != 0, "reasons differ");
}

static void looks_that_take_long_are_rare() {
  H2LookSnapshot s = usual(Occasion::Asked);
  s._took = 1.9;
  check(looks(s), "a short one may follow at once");
  s._took = 30;
  s._since = 239;
  check(!looks(s), "a long one was not long ago");
  s._since = 240;
  check(looks(s), "it was long ago");
  s._since = 0;
  s._occasion = Occasion::Short;
  check(looks(s), "there is no other way");
}

static void without_anything_to_find() {
  const Occasion all[] = { Occasion::Asked, Occasion::Short, Occasion::Other };
  for (Occasion occasion : all) {
    H2LookSnapshot s = usual(occasion);
    s._old_used = 99 * M;
    check(looks(s), "each occasion finds something with H1 full");
    s._changed = false;
    check(!looks(s), "nothing has changed");
    s._changed = true;
    s._references = 0;
    check(!looks(s), "no reference waits");
  }
}

struct Wait {
  Occasion _occasion;
  uint32_t _fruitless;
  uint32_t _collections;   // with so many it looks, with one less it does not
};

static void fruitless_looks_come_more_rarely() {
  const Wait table[] = {
    { Occasion::Asked, 1, 2 }, { Occasion::Asked, 2, 4 }, { Occasion::Asked, 3, 8 }, { Occasion::Asked, 30, 8 },
    { Occasion::Other, 1, 2 }, { Occasion::Other, 3, 8 }, { Occasion::Other, 6, 64 }, { Occasion::Other, 40, 64 },
  };
  for (const Wait& wait : table) {
    H2LookSnapshot s = usual(wait._occasion);
    s._old_used = 99 * M;
    s._fruitless = wait._fruitless;
    s._collections = wait._collections - 1;
    check(!looks(s), "too early after fruitless looks");
    s._collections++;
    check(looks(s), "late enough after fruitless looks");
  }
  H2LookSnapshot s = usual(Occasion::Short);
  s._fruitless = 40;
  check(looks(s), "who is short of memory does not wait");
}

static void h1_fills_up() {
  H2LookSnapshot s = usual(Occasion::Other);
  s._old_used = 62 * M;
  check(!looks(s), "less than an eighth more than after the last look");
  s._old_used = 63 * M;
  check(looks(s), "an eighth more");
  s._old_least = s._old_used = 87 * M;
  check(!looks(s), "most is used, but not more than after the last look");
  s._old_least = s._old_used = 88 * M;
  check(looks(s), "nearly full");
}

static void references_are_many() {
  H2LookSnapshot s = usual(Occasion::Other);
  s._old_used = 90 * M;
  s._references = 99;
  check(!looks(s), "fewer than one for each MiB of H2");
  s._references = 100;
  check(looks(s), "one for each MiB of H2");
  s._references = 1;
  s._h2_used = M;
  check(looks(s), "one in a small H2");
  s._h2_used = 4096 * M;
  s._occasion = Occasion::Asked;
  check(looks(s), "one in a large H2, if somebody asks");
}

// Labels of so many words each come one after the other; how many get a region of their own?
static uint32_t with_own_region(uint32_t labels, size_t words, size_t region_words, uint32_t regions) {
  uint32_t own = 0;
  for (uint32_t i = 0; i < labels; i++) {
    own += H2SharingRule::shares(words, region_words, own, regions) ? 0 : 1;
  }
  return own;
}

static void small_labels_share_regions() {
  check(with_own_region(40000, 128, 8192, 8192) == 512, "a sixteenth of the regions");
  check(with_own_region(60, 128, 8192, 1024) == 60, "few labels have a region each");
  check(with_own_region(100, 128, 8192, 1024) == 64, "but not more of a small H2");
  check(with_own_region(100, 128, 8192, 10) == 5, "nor more than half of a tiny one");
  check(with_own_region(1000, 2049, 8192, 8192) == 1000, "a quarter of a region is not small");
  check(with_own_region(1000, 2048, 8192, 8192) == 512, "a little less is");
}

struct Auto {
  H2AutoRound _round;
  size_t      _live;    // MiB, of 1000
  size_t      _moves;
};

static H2AutoSnapshot of_1000(size_t live) {
  return H2AutoSnapshot{1000 * M, live * M, 0, 300 * M, 700 * M, 85, false, false, false};
}

static void old_objects_move_round_by_round() {
  const Auto table[] = {
    { H2AutoRound::Plain, 250, 0 },   { H2AutoRound::Plain, 260, 10 },   { H2AutoRound::Plain, 900, 650 },
    { H2AutoRound::Written, 600, 0 }, { H2AutoRound::Written, 610, 110 },
    { H2AutoRound::Arrays, 750, 0 },  { H2AutoRound::Arrays, 760, 160 },
  };
  for (const Auto& row : table) {
    H2AutoSnapshot s = of_1000(row._live);
    check(H2AutoRule::bytes(row._round, s) == row._moves * M, "what a round moves");
    s._uses_tags = true;
    check(H2AutoRule::bytes(row._round, s) == (row._live > 850 ? (row._live - 850) * M : 0), "what moves beside tags");
    s._is_last_resort = true;
    check(H2AutoRule::bytes(row._round, s) == (row._live - 100) * M, "what moves before an OutOfMemoryError");
  }
  H2AutoSnapshot gathered = of_1000(300);
  gathered._gathered = 45 * M;
  check(H2AutoRule::bytes(H2AutoRound::Plain, gathered) == 5 * M, "what came back stays");
  gathered._gathered = 400 * M;
  check(H2AutoRule::bytes(H2AutoRound::Plain, gathered) == 0, "more than lives came back");
  gathered._live = 610 * M;
  check(H2AutoRule::bytes(H2AutoRound::Written, gathered) == 110 * M, "what came back leaves again");
  H2AutoSnapshot pressed = of_1000(110);
  pressed._is_short = true;
  check(H2AutoRule::bytes(H2AutoRound::Plain, pressed) == 60 * M, "H2 lacks what H1 has");
  check(H2AutoRule::bytes(H2AutoRound::Written, pressed) == 0, "what is written stays all the same");
  H2AutoSnapshot low = of_1000(40);
  low._threshold = 1;
  check(H2AutoRule::bytes(H2AutoRound::Arrays, low) == 30 * M, "the threshold is lower");
}

static void a_full_gc_that_comes_soon_moves_more() {
  const auto is_occupied = [](size_t live, size_t promoted, uint32_t threshold, bool is_needed) {
    return H2OccupancyRule::is_occupied(H2OccupancySnapshot{1000 * M, live * M, promoted * M, threshold, is_needed});
  };
  check(!is_occupied(850, 100, 85, true) && is_occupied(851, 100, 85, true), "the threshold");
  check(!is_occupied(600, 60, 85, true) && is_occupied(601, 60, 85, true), "little was promoted since the last one");
  check(!is_occupied(700, 63, 85, true) && !is_occupied(700, 0, 85, false), "much was, or nobody needs room");
  check(is_occupied(11, 0, 1, true), "the threshold is lower");
}

static void the_oldest_move_first() {
  const H2AutoSnapshot s = of_1000(800);
  check(H2AutoRule::scope(300 * M, s) == H2AutoScope::Survivors, "survivors are enough");
  check(H2AutoRule::scope(700 * M, s) == H2AutoScope::Old, "the old generation is enough");
  check(H2AutoRule::scope(701 * M, s) == H2AutoScope::All, "young objects, too");
}

// Objects of these words come again and again. Returns the kind of row of the last one of a kind.
static H2ObjectKind row_of(H2ObjectKind kind, size_t link, size_t leaf, size_t other) {
  H2ApartRule rule;
  for (int i = 0; i < 100; i++) {
    rule.row_for(H2ObjectKind::Link, link);
    rule.row_for(H2ObjectKind::Leaf, leaf);
    rule.row_for(H2ObjectKind::Other, other);
  }
  return rule.row_for(kind, 1);
}

static void links_and_leaves_lie_apart() {
  const H2ObjectKind link = H2ObjectKind::Link, leaf = H2ObjectKind::Leaf, other = H2ObjectKind::Other;
  struct { size_t _link, _leaf, _other; H2ObjectKind _of_links, _of_leaves; } const table[] = {
    {5, 100, 10, link, leaf},    // a cache of texts
    {5, 70, 30, link, other},    // its keys and records are a third
    {5, 0, 100, link, other},    // a tree of small objects
    {30, 0, 70, other, other},   // a tree of little else
    {15, 100, 2, other, leaf},   // its nodes stay with its keys
    {0, 100, 25, link, other},   // no part may be large
  };
  for (const auto& row : table) {
    check(row_of(link, row._link, row._leaf, row._other) == row._of_links, "where a link lies");
    check(row_of(leaf, row._link, row._leaf, row._other) == row._of_leaves, "where a leaf lies");
    check(row_of(other, row._link, row._leaf, row._other) == other, "where any other object lies");
  }
}

// 600 MiB are resident, of which 100 are kept in any case; 50 MiB are staged.
static H2KeptSnapshot holdings(size_t pool, size_t stored, double sampled, size_t not_stored) {
  H2KeptSnapshot s;
  s._resident = 600 * M;
  s._least_resident = 100 * M;
  s._staged = 50 * M;
  s._not_stored = not_stored * M;
  s._pool = pool * M;
  s._stored = stored * M;
  s._sampled_cost = sampled;
  return s;
}

static size_t kept(size_t pool, size_t stored, double sampled, size_t not_stored = 1000) {
  return H2KeptRule::bytes(holdings(pool, stored, sampled, not_stored)) / M;
}

static void pages_that_leave_are_compressed() {
  check(kept(0, 0, 1.0) == 650, "nobody knows how data compress");
  check(kept(0, 0, 0.5) == 100 + 275, "data that have just moved were sampled");
  check(kept(20, 200, 0.5) == 100 + 20 + 275, "the pool has fewer data than will leave");
  check(kept(220, 550, 1.0) == 100 + 220 + 220, "it has as many");
  check(kept(900, 600, 0.5) == 100 + 900 + 550, "it wastes memory");
  check(kept(220, 550, 1.0, 100) == 100 + 220 + 40, "most pages have a copy");
}

static void h2_borrows_what_it_can_give_back() {
  const auto borrows = [](size_t not_stored, size_t left) { return H2KeptRule::may_borrow(holdings(220, 550, 1.0, not_stored), left * M); };
  check(borrows(100, 360) && !borrows(100, 359), "it gets as small as that");
  check(borrows(10, 200) && borrows(0, 0), "nearly all pages have a copy");
  check(!borrows(11, 200), "some would have to be compressed");
  check(H2KeptRule::gives_back_at_once(holdings(220, 550, 1.0, 10)) && !H2KeptRule::gives_back_at_once(holdings(220, 550, 1.0, 11)),
        "which takes longer");
}

static H2LoanSnapshot eden(size_t free, size_t lent, bool misses, int looks = 0, size_t survivors = 0) {
  H2LoanSnapshot s;
  s._capacity = 64 * M;
  s._free = free * M;
  s._needed = 16 * M;
  s._survivors = survivors * M;
  s._lent = lent * M;
  s._limit = 960 * M;
  s._misses = misses;
  s._looks = looks;
  return s;
}

static size_t loan(size_t free, size_t lent, bool misses, size_t survivors = 0) {
  return H2LoanRule::bytes(eden(free, lent, misses, 0, survivors)) / M;
}

static void eden_is_lent_while_h2_misses() {
  check(loan(50, 0, true) == 34, "what is not needed soon");
  check(loan(50, 0, false) == 0, "nobody wants it");
  check(loan(200, 0, true) == 60, "but no more than the kernel could take elsewhere");
  check(loan(19, 0, true) == 0, "a few pages are not worth a safepoint");
  check(loan(50, 32, true) == 32, "nor are a few more");
  check(loan(50, 34, false) == 34, "it lasts");
  check(loan(40, 34, true) == 24, "it becomes less as eden fills");
  check(loan(10, 34, true) == 0, "until nothing is left");
  check(loan(200, 0, true, 20) == 80, "survivor spaces come to that, whole, as no thread allocates there");
  check(loan(10, 0, true, 20) == 20 && loan(10, 0, false, 20) == 0, "also by themselves");
}

static void a_gc_empties_eden_for_h2() {
  const auto wants = [](size_t free, size_t lent, int looks) { return H2LoanRule::wants_gc(eden(free, lent, looks > 0, looks)); };
  check(wants(32, 16, 4), "half of eden is full of what is dead");
  check(!wants(32, 16, 3) && !wants(32, 16, 0), "H2 may lack memory for a moment");
  check(!wants(50, 34, 9), "there is not much more to have");
  check(!wants(0, 0, 9), "a GC is near anyway");
}

static bool looks_early(size_t used, size_t left, size_t to_read, bool has_ssd, uint32_t fruitless) {
  H2GarbageSnapshot s;
  s._used = used;
  s._left = left;
  s._to_read = to_read;
  s._has_ssd = has_ssd;
  s._fruitless = fruitless;
  return H2GarbageRule::has_grown(s) && H2GarbageRule::is_cheap(s);
}

static void garbage_is_looked_for_early() {
  check(looks_early(250 * M, 200 * M, 0, false, 0), "H2 has grown by a quarter");
  check(!looks_early(249 * M, 200 * M, 0, false, 0), "not yet by a quarter");
  check(!looks_early(250 * M, 200 * M, 0, false, 1) && looks_early(300 * M, 200 * M, 0, false, 1), "by half after a look that found little");
  check(looks_early(400 * M, 200 * M, 0, false, 50), "by as much again after many");
  check(!looks_early(20 * M, 0, 0, false, 0) && looks_early(40 * M, 0, 0, false, 0), "a small H2 is left alone");
  check(looks_early(800 * M, 600 * M, 400 * M, false, 0), "half of it comes from the pool");
  check(!looks_early(800 * M, 600 * M, 401 * M, false, 0), "more than half");
  check(looks_early(800 * M, 600 * M, 50 * M, true, 0) && !looks_early(800 * M, 600 * M, 51 * M, true, 0), "a sixteenth from an SSD");
}

static void shapes_take_memory_too() {
  const size_t limit = 400 * M;
  check(H2ShapesRule::may_take({19 * M, 400 * M, limit}, M) && !H2ShapesRule::may_take({19 * M, 400 * M, limit}, M + 1), "a 20th at most");
  check(!H2ShapesRule::may_take({21 * M, 400 * M, limit}, 1), "nor more once the limit has fallen");
  const auto expected = [](size_t shapes, size_t used) { return H2ShapesRule::expected({shapes, used, limit}, 100 * 1000 * 1000) / 1000; };
  check(expected(0, 0) == 3000, "three percent before anybody knows");
  check(expected(M, 100 * M) > 900 && expected(M, 100 * M) < 1100, "as much of each byte as until now");
  check(expected(20 * M, 100 * M) == 0, "nothing where they have no room");
  const auto fits = [](size_t shapes, uint32_t cost) { return H2ShapesRule::fits({shapes, 200 * M, limit}, 100 * M, cost) / M; };
  check(fits(0, 500) == 99 && fits(0, 1000) == 99, "nothing refers to anything");
  check(fits(10 * M, 1000) == 95 && fits(10 * M, 100) == 66, "a 20th more for each byte");
  check(fits(20 * M, 100) == 100, "they cannot grow");
  check(fits(10 * M, 0) == fits(10 * M, 31) && fits(10 * M, 0) > 30, "data that are all the same");
  check(H2ShapesRule::fits({0, 0, limit}, SIZE_MAX, 1000) > SIZE_MAX / 2, "a pool without a limit");
}

static void written_classes_stay() {
  H2WrittenRate rate;
  rate.full_finished(1000, 1000);
  check(!rate.is_high(), "of so few objects nobody can tell");
  rate.full_finished(100000, 2999);
  check(!rate.is_high(), "one in forty is written to");
  rate.full_finished(100000, 3000);
  check(rate.is_high(), "one in thirty is");
  rate.full_finished(100000, 0);
  check(!rate.is_high(), "not any more");
  rate.full_finished(100000, 50000);
  rate.full_finished(100000, 0);
  rate.full_finished(100000, 0);
  rate.full_finished(100000, 0);
  check(rate.is_high(), "it was half of them not long ago");
  rate.full_finished(100000, 0);
  rate.full_finished(100000, 0);
  check(!rate.is_high(), "long ago");
}

// It returned to H1 whatever had no compressed object, while other labels were compressed again.
static void what_nobody_writes_to_is_not_hot() {
  check(H2HotRule::is_hot({12 * M, 4 * M, 4 * M, 12 * M}), "all in memory is written, and all of it was compressed again");
  check(!H2HotRule::is_hot({12 * M, 4 * M, 4 * M, 12 * M - 1}), "it has not all been compressed again");
  check(!H2HotRule::is_hot({2 * M, 2 * M, 2 * M, 0}), "it was written to once, and did not leave");
  check(!H2HotRule::is_hot({12 * M, 4 * M, 3 * M - 1, 99 * M}), "more than a quarter is only read");
  check(!H2HotRule::is_hot({12 * M, 0, 0, 99 * M}), "nothing of it is in memory");
  check(!H2HotRule::is_hot({M, M - 1, M - 1, 99 * M}), "too small to be worth a return");
}

static void a_unit_has_whole_pages() {
  const size_t K = 1024;
  check(H2UnitRule::usual_bytes(true, 4 * K) == 8 * K && H2UnitRule::usual_bytes(false, 4 * K) == 16 * K, "pages of 4 KiB");
  check(H2UnitRule::usual_bytes(true, 16 * K) == 16 * K && H2UnitRule::usual_bytes(false, 16 * K) == 16 * K, "pages of 16 KiB");
  check(H2UnitRule::usual_bytes(true, 64 * K) == 64 * K && H2UnitRule::usual_bytes(false, 64 * K) == 64 * K, "pages of 64 KiB");
}

static void the_limit_is_divided() {
  check(H2DivisionRule::h2_bytes(500 * M, 300 * M, 24 * M) == 200 * M, "H2 has what is left");
  check(H2DivisionRule::h2_bytes(500 * M, 480 * M, 24 * M) == 24 * M, "but no less than it needs");
  check(H2DivisionRule::h2_bytes(500 * M, 600 * M, 24 * M) == 24 * M, "also where others have taken more than all");
}

struct Needs {
  H2NeedsSnapshot _needs;   // MiB
  size_t          _limit;
  size_t          _overdrawn;
};

static void the_limit_is_overdrawn() {
  const Needs table[] = {
    { { 400, 100, 40, 64, 64, 10, 20, 16 }, 500, 0 },     // 386 in all
    { { 400, 100, 40, 64, 64, 10, 20, 16 }, 386, 0 },
    { { 400, 100, 40, 64, 64, 10, 20, 16 }, 385, 1 },
    { { 400, 100, 40, 64, 24, 10, 20, 16 }, 386, 40 },    // eden will be touched
    { { 400, 100, 40, 64, 99, 10, 20, 16 }, 386, 0 },     // it was larger
    { { 80, 100, 40, 64, 64, 10, 20, 16 }, 80, 6 },       // more of H2 is counted than the process has
    { { 400, 100, 100, 64, 64, 10, 20, 16 }, 386, 60 },   // H2 can give nothing back
  };
  for (const Needs& row : table) {
    check(H2DivisionRule::overdrawn_bytes(row._needs, row._limit) == row._overdrawn, "what the process needs beyond its limit");
    const size_t needs = row._limit + row._overdrawn - H2DivisionRule::left_bytes(row._needs, row._limit);
    check(H2DivisionRule::overdrawn_bytes(row._needs, needs) == 0 && H2DivisionRule::left_bytes(row._needs, needs) == 0, "just enough");
    check(H2DivisionRule::left_bytes(row._needs, needs + 7) == 7, "what is left");
  }
}

// MiB; H2 has 400.
static size_t due(size_t huge, size_t raw, size_t pool, size_t beside) {
  return H2DueRule::bytes({huge * M, raw * M, pool * M, 400 * M, beside * M}) / M;
}

static void data_that_do_not_compress_are_due() {
  check(due(100, 50, 120, 200) == 0, "there is room beside a full H1");
  check(due(100, 50, 120, 130) == 40, "what exceeds it");
  check(due(10, 5, 220, 100) == 15, "what compresses gives way by itself");
  check(due(0, 0, 220, 100) == 0, "all of it does");
  check(!H2DueRule::is_mostly_raw({200 * M, 100 * M, 0, 400 * M, 0}), "three quarters");
  check(H2DueRule::is_mostly_raw({200 * M, 100 * M + 1, 0, 400 * M, 0}), "a byte more");
}

// H2 has 400 MiB, and the old generation 160 of 200, of which 25 are new. A byte takes a quarter.
static H2EarlyGCSnapshot early() { return {0.25, 400 * M, 160 * M, 200 * M, 25 * M, 20 * M, 168 * M + M / 2, 0, 0, 0, 1.0}; }

static void a_full_gc_comes_before_h1_has_the_memory() {
  H2EarlyGCSnapshot s = early();
  check(H2EarlyGCRule::needed_bytes(s) == 168 * M + 3 * M / 4, "all of both, a sixteenth more, and what H2 needs");
  check(H2EarlyGCRule::is_short_of_dram(s), "H2 has less");
  s._h2_may_have = 168 * M + 3 * M / 4;
  check(!H2EarlyGCRule::is_short_of_dram(s), "H2 has as much");
  s = early();
  s._promoted--;
  check(!H2EarlyGCRule::is_short_of_dram(s), "too little is new to be worth a pause");
  s = early();
  s._cost = 0;
  check(!H2EarlyGCRule::is_short_of_dram(s), "nobody knows yet how data compress");
}

static void a_full_gc_comes_before_the_kernel() {
  H2EarlyGCSnapshot s = early();
  check(!H2EarlyGCRule::is_over_limit(s), "the limit holds all");
  s._overdrawn = 100 * M;
  check(H2EarlyGCRule::is_over_limit(s), "an eighth of the old generation is new");
  s._promoted = 3 * M;
  check(!H2EarlyGCRule::is_over_limit(s), "others took the memory");
  s._overdrawn = 3 * M;
  check(H2EarlyGCRule::is_over_limit(s), "as much is new as is missing");
}

static void a_full_gc_saves_waits_for_the_ssd() {
  H2EarlyGCSnapshot s = early();
  s._promoted = 40 * M;
  s._waited = 10.0;
  check(!H2EarlyGCRule::saves_waits(s), "nothing is on SSD");
  s._on_ssd = 300 * M;
  check(H2EarlyGCRule::saves_waits(s), "30 MiB come free, and hold a tenth of it: one of 10 s");
  s._gc_takes = 1.01;
  check(!H2EarlyGCRule::saves_waits(s), "the pause is longer");
  s._on_ssd = M;
  s._gc_takes = 10.0;
  check(H2EarlyGCRule::saves_waits(s), "no more than all waits");
  s._promoted = 25 * M - 1;
  check(!H2EarlyGCRule::saves_waits(s), "too little is new");
}

static void a_setting_that_names_a_class_of_ztera_asks() {
  check(H2ProgramRule::asks_by_value("org.ztera.a.Plugin"), "a property");
  check(H2ProgramRule::asks_by_value("another.Plugin,org.ztera.a.Plugin"), "a list");
  check(!H2ProgramRule::asks_by_value("my.org.ztera.a.Plugin"), "a package of somebody else");
  check(!H2ProgramRule::asks_by_value("org.zterasomething.Plugin"), "another package");
  check(!H2ProgramRule::asks_by_value(""), "an empty property");
}

static void a_command_asks_by_its_settings() {
  check(H2ProgramRule::asks_by_command("a.Main --conf plugins=org.ztera.a.Plugin app.jar"), "a setting");
  check(H2ProgramRule::asks_by_command("a.Main org.ztera.B --conf plugins=b.Plugin,org.ztera.a.Plugin"), "the second one of a list");
  check(!H2ProgramRule::asks_by_command("org.ztera.demo.Main 1 org.ztera.Other"), "classes that are no settings");
  check(!H2ProgramRule::asks_by_command("a.Main x=1 a,org.ztera.b"), "the setting is another word");
  check(!H2ProgramRule::asks_by_command("a.Main plugins=my.org.ztera.a.Plugin"), "a package of somebody else");
  check(!H2ProgramRule::asks_by_command("org.ztera."), "nothing before it");
  check(!H2ProgramRule::asks_by_command("a.Main -Dtest=org.ztera.a.Test"), "a class that another program tests");
  check(!H2ProgramRule::asks_by_command("a.Main --class=org.ztera.a.Main app.jar"), "a class that another program runs");
}

static void what_asks_gets_addresses_beside_its_heap() {
  const size_t rows[][2] = {{255, 0}, {256, 4}, {512, 4}, {1500, 5}, {4096, 16}, {10240, 21}, {20480, 80}, {2048000, 4096}};
  for (const auto& row : rows) {
    check(H2ProgramRule::size(row[0] * M) == row[1] * 1024 * M, "MiB of heap, GiB of H2");
  }
}

static void hot_objects_come_back() {
  // 1,000 objects of 1 KiB each in an H2 of 1000 MiB; threads waited 2 s for them, 20 us each time.
  const H2GatherSnapshot usual = {{{}, {750, 750}, {0, 0}, {250, 99250}}, 1000, 100000, 2.0, 10.0, 0.0, 40e-6, 1000 * M, 100 * M, 1024};
  check(H2GatherRule::refusal(usual) == nullptr, "waits pay for a look");
  check(H2GatherRule::waits(usual, 125) == 49625 && H2GatherRule::waits(usual, 260) == 99260, "the hottest come first");
  H2GatherSnapshot slow = usual;
  slow._each_takes = 4e-3;
  check(H2GatherRule::taken(usual) == 1000 && H2GatherRule::taken(slow) == 250, "a pause is not too long");
  struct { size_t _places, _room; double _waited, _since, _gc_takes; const char* _refusal; } const table[] = {
    {63, 100 * M, 2.0, 10.0, 0.0, "threads waited for few objects again"},
    {1000, 63 * 1024, 2.0, 10.0, 0.0, "H1 has no room to spare"},
    {1000, 100 * M, 0.5, 10.0, 0.0, "it takes longer than threads waited"},
    {1000, 100 * M, 2.0, 10.0, 1.5, "it takes longer than threads waited"},
    {1000, 100 * M, 2.0, 20.0, 1.4, nullptr},
    {1000, 100 * M, 2.0, 10.0, 1.4, "the last full GC was just now"},
    {1000, 100 * M, 9.0, 0.5, 0.0, "it takes longer than threads waited"},
    {1000, M / 16, 2.0, 10.0, 0.0, "it takes longer than threads waited"},
    {1000, M / 4, 2.0, 10.0, 0.0, nullptr},
  };
  for (const auto& row : table) {
    H2GatherSnapshot s = usual;
    s._places = row._places;
    s._room = row._room;
    s._waited = row._waited;
    s._since = row._since;
    s._gc_takes = row._gc_takes;
    const char* const refusal = H2GatherRule::refusal(s);
    check(row._refusal == nullptr ? refusal == nullptr : refusal != nullptr && strcmp(refusal, row._refusal) == 0, "whether hot objects come back");
  }
}

static void words_that_come_again_keep_their_slots() {
  uint64_t slot = H2RefaultSlot::make(77);
  check(H2RefaultSlot::is_of(slot, 77) && !H2RefaultSlot::is_of(slot, 78) && !H2RefaultSlot::is_of(0, 0), "whose slot it is");
  slot = H2RefaultSlot::again(slot);
  check(H2RefaultSlot::count(slot) == 2, "it came again");
  slot = H2RefaultSlot::wanted(slot, 78);
  check(H2RefaultSlot::is_of(slot, 77) && H2RefaultSlot::count(slot) == 1, "it stays once");
  check(H2RefaultSlot::wanted(slot, 78) == H2RefaultSlot::make(78), "the other one has the slot");
  for (int i = 0; i < 70000; i++) {
    slot = H2RefaultSlot::again(slot);
  }
  check(H2RefaultSlot::is_of(slot, 77) && H2RefaultSlot::count(slot) == 65535, "counts end");
}

int main() {
  a_setting_that_names_a_class_of_ztera_asks();
  a_command_asks_by_its_settings();
  what_asks_gets_addresses_beside_its_heap();
  who_asks();
  looks_that_take_long_are_rare();
  without_anything_to_find();
  fruitless_looks_come_more_rarely();
  h1_fills_up();
  references_are_many();
  small_labels_share_regions();
  a_full_gc_that_comes_soon_moves_more();
  old_objects_move_round_by_round();
  the_oldest_move_first();
  hot_objects_come_back();
  words_that_come_again_keep_their_slots();
  links_and_leaves_lie_apart();
  written_classes_stay();
  pages_that_leave_are_compressed();
  h2_borrows_what_it_can_give_back();
  eden_is_lent_while_h2_misses();
  garbage_is_looked_for_early();
  shapes_take_memory_too();
  a_gc_empties_eden_for_h2();
  what_nobody_writes_to_is_not_hot();
  a_unit_has_whole_pages();
  the_limit_is_divided();
  the_limit_is_overdrawn();
  data_that_do_not_compress_are_due();
  a_full_gc_comes_before_h1_has_the_memory();
  a_full_gc_comes_before_the_kernel();
  a_full_gc_saves_waits_for_the_ssd();
  printf(failures == 0 ? "rules: all tables hold\n" : "rules: %d FAILED\n", failures);
  return failures == 0 ? 0 : 1;
}
