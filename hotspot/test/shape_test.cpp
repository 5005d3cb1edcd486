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

// The code of shapes: what is written is read. Built and run by rules_test.sh.

#include "gc/h2/h2ShapeCode.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <vector>

static int failures = 0;

static void check(bool good, const char* what) {
  if (!good) {
    printf("FAILED: %s\n", what);
    failures++;
  }
}

// As much as any test needs.
struct Bytes {
  uint8_t _bytes[100000];
  size_t  _length = 0;

  uint8_t* room(size_t)       { return _bytes + _length; }
  void set_end(uint8_t* end)  { _length = end - _bytes; }
  void clear()                { _length = 0; }
  uint8_t* data()             { return _bytes; }
  const uint8_t* data() const { return _bytes; }
  size_t length() const       { return _length; }
};

static void finish(const H2ShapeWriter<Bytes>& writer, Bytes* shape) {
  shape->set_end(writer.finish(shape->data()));
  check(shape->length() <= writer.length(), "a shape is not longer than it says");
}

static const uint64_t Start = 1000 * 1000;

static H2ShapeReader reader(Bytes* shape) { return H2ShapeReader(shape->data(), shape->length(), Start); }

static void numbers_come_back() {
  const uint64_t numbers[] = { 0, 1, 127, 128, 16383, 16384, (uint64_t)1 << 35, UINT64_MAX };
  for (uint64_t number : numbers) {
    uint8_t buffer[H2Varint::MostBytes];
    const uint8_t* const end = H2Varint::put(buffer, number);
    uint64_t value;
    check(H2Varint::get(buffer, &value) == end && value == number, "a number comes back");
    check(H2Varint::unfold(H2Varint::fold(number)) == number, "a difference comes back");
  }
  check(H2Varint::fold((uint64_t)-3) == 5 && H2Varint::fold(3) == 6, "small differences of either sign are small numbers");
}

static void an_empty_shape_has_no_entry() {
  H2ShapeWriter<Bytes> writer;
  writer.begin(Start);
  writer.set_first(2048);
  Bytes shape;
  finish(writer, &shape);
  H2ShapeReader r = reader(&shape);
  check(r.first() == 2048 && r.reach() == 0 && r.carried() == 0, "nothing begins here");
  r.begin_entries();
  H2ShapeEntry entry;
  check(!r.next(&entry), "no entry");
}

static void only_a_row_of_objects_is_whole() {
  H2ShapeWriter<Bytes> writer;
  writer.begin(Start);
  check(!writer.is_whole(), "nothing is not whole");
  writer.object(2, 0, false, nullptr, 0);
  writer.object(3000, 0, false, &Start, 1);
  check(writer.is_whole() && writer.objects() == 2 && writer.words() == 3002, "two objects");
  writer.filler(4);
  check(!writer.is_whole(), "a filler is nobody's");

  writer.begin(Start);
  writer.object(5, writer.loader(0x7f0000001000), false, nullptr, 0);
  check(!writer.is_whole() && writer.objects() == 1 && writer.words() == 5, "a loader has to be kept");

  writer.begin(Start);
  writer.object(100000, 0, true, nullptr, 0);
  check(!writer.is_whole(), "an array goes on in other blocks");

  writer.begin(Start);
  writer.carry(&Start, 1);
  writer.object(2, 0, false, nullptr, 0);
  check(!writer.is_whole(), "an array began in another block");

  writer.begin(Start);
  writer.gap(9);
  writer.object(2, 0, false, nullptr, 0);
  check(!writer.is_whole(), "a gap is nobody's");
}

static void all_kinds_of_entries_come_back() {
  H2ShapeWriter<Bytes> writer;
  writer.begin(Start);
  writer.set_first(7);
  const uint64_t carried[] = { Start + 7, 3, Start * 2 };
  writer.carry(carried, 3);
  const uint64_t far[] = { 0, (uint64_t)1 << 36, Start + 9 };
  const uint32_t first = writer.loader(0x7f0000001000);
  const uint32_t second = writer.loader(0x7f0000002000);
  check(writer.loader(0) == 0 && first == 1 && second == 2 && writer.loader(0x7f0000001000) == 1, "loaders have numbers");
  writer.object(2, 0, false, nullptr, 0);
  writer.object(3, first, false, far, 3);
  writer.object(4, second, false, nullptr, 0);
  writer.object(5, first, false, nullptr, 0);
  writer.object(6, 0, false, far, 2, H2ShapeEntry::Weak);
  writer.object(6, second, false, far, 1, H2ShapeEntry::Soft);
  writer.filler(600);
  check(!writer.has_gaps(), "no gap yet");
  writer.gap(6);
  writer.object(100000, second, true, far, 2);
  writer.set_reach(12);
  Bytes shape;
  finish(writer, &shape);

  H2ShapeReader r = reader(&shape);
  check(writer.has_gaps() && r.first() == 7 && r.reach() == 12 && r.carried() == 3, "the head comes back");
  for (uint64_t target : carried) {
    check(r.reference() == target, "carried references come back");
  }
  r.begin_entries();
  H2ShapeEntry e;
  check(r.next(&e) && e._words == 2 && e._loader == 0 && e._references == 0 && e._kind == H2ShapeEntry::Object, "a leaf");
  check(r.next(&e) && e._words == 3 && r.loader(e._loader) == 0x7f0000001000 && e._references == 3, "a referrer with a loader");
  for (uint64_t target : far) {
    check(r.reference() == target, "references come back");
  }
  check(r.next(&e) && e._words == 4 && r.loader(e._loader) == 0x7f0000002000 && e._references == 0, "a leaf with another loader");
  check(r.next(&e) && e._words == 5 && e._loader == 1 && e._references == 0, "a leaf with the first loader");
  check(e._referent == H2ShapeEntry::NoReferent, "a leaf is no Reference");
  check(r.next(&e) && e._words == 6 && e._loader == 0 && e._references == 2 && e._referent == H2ShapeEntry::Weak, "a WeakReference");
  r.skip(2);
  check(r.next(&e) && r.loader(e._loader) == 0x7f0000002000 && e._references == 1 && e._referent == H2ShapeEntry::Soft, "a SoftReference");
  r.skip(1);
  check(r.next(&e) && e._words == 600 && e._kind == H2ShapeEntry::Filler && !e.is_object(), "a filler");
  check(r.next(&e) && e._words == 6 && e._kind == H2ShapeEntry::Gap && !e.is_object(), "a gap");
  H2ShapeReader::make_filler(const_cast<uint8_t*>(r.entry_head()));
  check(r.next(&e) && e._words == 100000 && e._kind == H2ShapeEntry::Spanning && e._references == 2, "an array that goes on");
  r.skip(2);
  check(!r.next(&e), "the end");

  H2ShapeReader again = reader(&shape);
  again.skip(3);
  again.begin_entries();
  for (int i = 0; i < 8; i++) {
    again.next(&e);
    again.skip(e._references);
  }
  check(e._words == 6 && e._kind == H2ShapeEntry::Filler, "a gap that was filled");
}

static void too_many_loaders_are_refused() {
  H2ShapeWriter<Bytes> writer;
  writer.begin(Start);
  for (uint64_t i = 1; i <= 64; i++) {
    check(writer.loader(i) == i, "64 loaders");
  }
  check(writer.loader(65) == UINT32_MAX && writer.loader(64) == 64, "and no more");
}

// Units of objects of random sizes and references, with a fixed seed.
static void random_shapes_come_back() {
  srand(41);
  H2ShapeWriter<Bytes> writer;
  for (int round = 0; round < 200; round++) {
    std::vector<uint64_t> sizes;
    std::vector<std::vector<uint64_t>> references;
    writer.begin(Start);
    for (int i = rand() % 300; i > 0; i--) {
      sizes.push_back(2 + rand() % 40);
      references.emplace_back();
      for (int j = rand() % 5; j > 0; j--) {
        references.back().push_back((uint64_t)rand() * 1000 + rand() % 1000);
      }
      writer.object(sizes.back(), 0, false, references.back().data(), references.back().size());
    }
    Bytes shape;
    finish(writer, &shape);
    H2ShapeReader r = reader(&shape);
    r.begin_entries();
    H2ShapeEntry e;
    bool same = true;
    size_t n = 0;
    for (; r.next(&e); n++) {
      same = same && n < sizes.size() && e._words == sizes[n] && e._references == references[n].size();
      for (uint64_t j = 0; same && j < e._references; j++) {
        same = r.reference() == references[n][j];
      }
    }
    check(same && n == sizes.size(), "a random shape comes back");
  }
}

int main() {
  numbers_come_back();
  an_empty_shape_has_no_entry();
  only_a_row_of_objects_is_whole();
  all_kinds_of_entries_come_back();
  too_many_loaders_are_refused();
  random_shapes_come_back();
  printf(failures == 0 ? "shapes: what is written is read\n" : "shapes: %d FAILED\n", failures);
  return failures == 0 ? 0 : 1;
}
