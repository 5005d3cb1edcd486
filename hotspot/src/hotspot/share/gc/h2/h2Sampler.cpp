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


#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2FinderWorker.hpp"
#include "gc/h2/h2GroupFinder.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Sampler.hpp"
#include "oops/oop.inline.hpp"
#include "utilities/copy.hpp"

#include <math.h>

// Units that are compressed: enough for an error of a few percent of the mean, and
// some ten milliseconds.
static const size_t MaxSamples = 128;

// A unit's worth of small candidates that were found one after the other, as they would
// lie in H2, or some unit of a large one.
class H2SampledUnit {
  static const size_t MaxObjects = 1024;

  char* const  _buffer;
  const size_t _unit_bytes;
  size_t       _filled;
  size_t       _bytes;   // of the objects, all of them

  void add(oop obj) {
    const size_t bytes = obj->size() << LogHeapWordSize;
    const size_t room = _unit_bytes - _filled;
    const size_t copied = MIN2(bytes, room);
    // The middle of what is larger: arrays may begin with zeros, and end with what is not used yet.
    const size_t skipped = align_down((bytes - copied) / 2, HeapWordSize);
    memcpy(_buffer + _filled, cast_from_oop<char*>(obj) + skipped, copied);
    _filled += copied;
    _bytes += bytes;
  }

  void finish() { memset(_buffer + _filled, 0, _unit_bytes - _filled); }

 public:
  H2SampledUnit(char* buffer, size_t unit_bytes) : _buffer(buffer), _unit_bytes(unit_bytes), _filled(0), _bytes(0) {}

  void fill(const H2ObjectList& order, size_t from) {
    const size_t end = MIN2(from + MaxObjects, order.length());
    for (size_t i = from; i < end && _filled < _unit_bytes; i++) {
      const oop obj = order.at(i);
      if (!H2FinderWorker::is_large(obj->size())) {
        add(obj);
      }
    }
    finish();
  }

  void fill(oop large) {
    add(large);
    finish();
  }

  size_t bytes() const { return _bytes; }

  // Memory for each byte.
  double cost() const {
    return (double)H2Heap::backend()->sample(_buffer, _unit_bytes) / (double)_unit_bytes;
  }
};

static size_t num_candidates(H2GroupFinder* finder, uint num_workers) {
  size_t objects = 0;
  for (uint i = 0; i < num_workers; i++) {
    objects += finder->worker(i)->order().length();
  }
  return objects;
}

// Samples of objects that are alike in size, as those of a mix would hardly ever meet a few large ones.
class H2Stratum : public StackObj {
  double _weights, _sum, _squares, _raw;
  size_t _count;

 public:
  H2Stratum() : _weights(0), _sum(0), _squares(0), _raw(0), _count(0) {}

  void add(const H2SampledUnit& unit) {
    if (unit.bytes() == 0) {
      return;
    }
    const double weight = (double)unit.bytes();
    const double cost = unit.cost();
    _weights += weight;
    _sum += weight * cost;
    _squares += weight * cost * cost;
    _raw += cost < 1.0 ? 0.0 : weight;
    _count++;
  }

  bool is_empty() const { return _weights == 0; }
  double cost() const   { return is_empty() ? 1.0 : _sum / _weights; }
  double raw() const    { return is_empty() ? 0.0 : _raw / _weights; }
  // The square of the standard error of the cost.
  double error2() const { return is_empty() ? 0.0 : MAX2(_squares / _weights - cost() * cost(), 0.0) / (double)_count; }
};

static size_t bytes_of(const GrowableArrayCHeap<oop, mtGC>& objects) {
  size_t words = 0;
  for (oop obj : objects) {
    words += obj->size();
  }
  return words << LogHeapWordSize;
}

H2Sample H2Sampler::sample(H2GroupFinder* finder, uint num_workers) {
  const size_t unit_bytes = H2Heap::backend()->unit_bytes();
  const size_t step = MAX2(num_candidates(finder, num_workers) / MaxSamples, (size_t)1);
  char* const buffer = NEW_C_HEAP_ARRAY(char, unit_bytes, mtGC);
  H2Stratum small, large;
  size_t large_bytes = 0;
  for (uint w = 0; w < num_workers; w++) {
    const H2ObjectList& order = finder->worker(w)->order();
    for (size_t i = 0; i < order.length(); i += step) {
      H2SampledUnit unit(buffer, unit_bytes);
      unit.fill(order, i);
      small.add(unit);
    }
    const GrowableArrayCHeap<oop, mtGC>& arrays = finder->worker(w)->large();
    const int large_step = MAX2(arrays.length() / (int)MaxSamples, 1);
    for (int i = 0; i < arrays.length(); i += large_step) {
      H2SampledUnit unit(buffer, unit_bytes);
      unit.fill(arrays.at(i));
      large.add(unit);
    }
    large_bytes += bytes_of(arrays);
  }
  FREE_C_HEAP_ARRAY(char, buffer);
  if (small.is_empty() && large.is_empty()) {
    return H2Sample{1000, 0.0};
  }
  const double all = (double)MAX2(finder->words() << LogHeapWordSize, (size_t)1);
  const double part = small.is_empty() ? 1.0 : large.is_empty() ? 0.0 : MIN2((double)large_bytes / all, 1.0);
  const double mean = part * large.cost() + (1.0 - part) * small.cost();
  const double error2 = part * part * large.error2() + (1.0 - part) * (1.0 - part) * small.error2();
  return H2Sample{(uint)ceil(1000 * MIN2(mean + 2 * sqrt(error2), 1.0)), part * large.raw() + (1.0 - part) * small.raw()};
}
