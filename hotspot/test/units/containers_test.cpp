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

// H2's containers by label, by region and by object. Built and run by units_test.sh.

#include "gc/h2/h2LabelOrder.hpp"
#include "gc/h2/h2LabelParts.cpp"
#include "gc/h2/h2Labels.hpp"
#include "gc/h2/h2RegionSet.hpp"
#include "gc/h2/h2WeakRoots.cpp"

#include "check.hpp"
#include <map>
#include <set>

MemRegion H2Heap::_range;

static void numbers_of_a_label_come_in_order() {
  const uint labels = 5;
  H2LabelOrder order(labels);
  std::vector<std::vector<size_t>> expected(labels);
  uint label = 0;
  for (size_t i = 0; i < 10000; i++) {
    label = below(20) == 0 ? (uint)below(labels) : label;
    if (below(30) != 0) {   // what is left out ends a stretch
      order.add(label, i);
      expected[label].push_back(i);
    }
  }
  order.finish();
  for (label = 0; label < labels; label++) {
    std::vector<size_t> found;
    order.each(label, [&](size_t i) { found.push_back(i); });
    check(found == expected[label], "each number of the label, once and in ascending order");
  }
}

static void a_walk_of_one_group_is_one_stretch() {
  H2LabelOrder order(2);
  for (size_t i = 3; i < 100; i++) {
    order.add(1, i);
  }
  order.finish();
  check(order.stretches() == 1, "numbers in a row are one stretch");
  order.each(0, [&](size_t) { check(false, "a label without objects has no number"); });
}

static void labels_may_be_any_numbers() {
  H2LabelMap<int> map;
  std::map<jlong, int> expected;
  for (int i = 0; i < 3000; i++) {
    const jlong label = (jlong)below(1000) << (below(2) * 32);
    bool is_new;
    int* const value = map.get_or_add(label, i, &is_new);
    check(is_new == (expected.count(label) == 0), "whether the label is new");
    expected.emplace(label, i);
    check(*value == expected[label], "the first value stays");
  }
  check(map.length() == (int)expected.size(), "no label twice");
  map.remove_if([](jlong label, int) { return label < 500; });
  for (const auto& it : expected) {
    check((map.get(it.first) != nullptr) == (it.first >= 500), "those that the condition takes, and no others");
  }
}

static void sets_of_labels_are_added() {
  H2LabelSet a;
  H2LabelSet b;
  check(a.is_empty() && a.add(1) && !a.add(1), "true for what was not there");
  b.add(2);
  a.add_all(b);
  check(a.contains(1) && a.contains(2) && !b.contains(1), "both");
  a.remove(1);
  check(!a.contains(1) && a.contains(2), "all but one");
  a.clear();
  check(a.is_empty(), "none");
}

static void sets_of_regions_stay_sets_when_they_grow() {
  H2RegionSet regions;
  std::set<uint> expected;
  for (int i = 0; i < 400; i++) {
    const uint region = (uint)below(i < 100 ? 40 : 5000);
    regions.add(region);
    expected.insert(region);
    const uint other = (uint)below(5000);
    check(regions.contains(other) == (expected.count(other) > 0), "what was added, and nothing else");
  }
  check(regions.list()->length() == (int)expected.size(), "no region twice");
  regions.clear();
  check(!regions.contains(*expected.begin()) && regions.list()->length() == 0, "none");
}

static HeapWord words[1000];

static void parts_know_their_labels() {
  H2LabelParts parts;
  parts.begin(words, 7);
  parts.begin(words + 300, 9);
  parts.begin(words + 100, 8);   // another worker's
  parts.begin(words + 600, 7);
  parts.sort();
  const jlong expected[] = {7, 8, 8, 9, 9, 9, 7, 7, 7, 7};
  for (size_t i = 0; i < 10; i++) {
    check(parts.label_at(words + 100 * i) == expected[i] && parts.label_at(words + 100 * i + 99) == expected[i], "the label at an address");
  }
  size_t sum = 0;
  parts.each(words + 1000, [&](jlong, HeapWord* start, HeapWord* end, size_t) { sum += pointer_delta(end, start); });
  check(sum == 1000, "parts lie side by side");
}

static size_t dead_of(const H2LabelParts& parts, jlong label, HeapWord* top) {
  size_t sum = 0;
  parts.each(top, [&](jlong it, HeapWord*, HeapWord*, size_t dead) { sum += it == label ? dead : 0; });
  return sum;
}

static void parts_count_what_is_dead() {
  H2LabelParts parts;
  parts.begin(words, 7);
  parts.begin(words + 100, 8);
  parts.begin(words + 200, 9);
  parts.sort();
  parts.begin_look(words + 300);
  parts.add_live(words + 120, 30);
  parts.add_live(words + 10, 100);
  check(dead_of(parts, 7, words + 300) == 0 && dead_of(parts, 8, words + 300) == 70 * 8 && dead_of(parts, 9, words + 300) == 100 * 8,
        "what is not live");
  parts.cut(words + 300, words + 150);
  check(dead_of(parts, 8, words + 150) == 20 * 8 && dead_of(parts, 9, words + 150) == 0, "what was cut off is not dead any more");
}

static void the_last_label_of_an_object_wins() {
  oopDesc objects[4] = {{2, oopDesc::Instance}, {2, oopDesc::Instance}, {2, oopDesc::Instance}, {2, oopDesc::Instance}};
  H2Heap::_range = MemRegion((HeapWord*)&objects[3], 1);   // which has moved
  H2WeakRoots roots("test");
  const int order[] = {1, 0, 3, 2, 0, 1, 0};
  for (int i = 0; i < 7; i++) {
    roots.add(&objects[order[i]], i);
  }
  objects[2]._words = 0;
  roots.prune();
  check(roots.count() == 2, "neither what is dead, nor what has moved, nor what was labelled again");
  check(roots.all()->at(0)._object.peek() == &objects[1] && roots.all()->at(0)._label == 5, "the last one, in its place");
  check(roots.all()->at(1)._object.peek() == &objects[0] && roots.all()->at(1)._label == 6, "the last of three");
}

static void few_roots_are_not_searched() {
  oopDesc object = {2, oopDesc::Instance};
  H2Heap::_range = MemRegion();
  H2WeakRoots roots("test");
  for (int i = 0; i < 1024; i++) {
    roots.add(&object, i);
  }
  roots.prune_if_grown();
  check(roots.count() == 1024, "a few");
  roots.add(&object, 1024);
  roots.prune_if_grown();
  check(roots.count() == 1 && roots.all()->at(0)._label == 1024, "one more");
}

int main() {
  numbers_of_a_label_come_in_order();
  a_walk_of_one_group_is_one_stretch();
  labels_may_be_any_numbers();
  sets_of_labels_are_added();
  sets_of_regions_stay_sets_when_they_grow();
  parts_know_their_labels();
  parts_count_what_is_dead();
  the_last_label_of_an_object_wins();
  few_roots_are_not_searched();
  return report("labels, parts, sets and weak roots");
}
