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

// A unit's worth of candidates that were found one after the other, as they would
// lie in H2. Of a large object some unit of it.
class H2SampledUnit {
  char* const  _buffer;
  const size_t _unit_bytes;
  size_t       _filled;
  size_t       _bytes;   // of the objects, all of them

 public:
  H2SampledUnit(char* buffer, size_t unit_bytes) : _buffer(buffer), _unit_bytes(unit_bytes), _filled(0), _bytes(0) {}

  void fill(const H2ObjectList& order, size_t from) {
    for (size_t i = from; i < order.length() && _filled < _unit_bytes; i++) {
      const oop obj = order.at(i);
      const size_t bytes = obj->size() << LogHeapWordSize;
      const size_t room = _unit_bytes - _filled;
      const size_t copied = MIN2(bytes, room);
      // The middle of what is larger: arrays may begin with zeros, and end with what is not used yet.
      const size_t skipped = align_down((bytes - copied) / 2, HeapWordSize);
      memcpy(_buffer + _filled, cast_from_oop<char*>(obj) + skipped, copied);
      _filled += copied;
      _bytes += bytes;
    }
    memset(_buffer + _filled, 0, _unit_bytes - _filled);
  }

  size_t bytes() const { return _bytes; }

  // Of each byte.
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

H2Sample H2Sampler::sample(H2GroupFinder* finder, uint num_workers) {
  const size_t unit_bytes = H2Heap::backend()->unit_bytes();
  const size_t step = MAX2(num_candidates(finder, num_workers) / MaxSamples, (size_t)1);
  char* const buffer = NEW_C_HEAP_ARRAY(char, unit_bytes, mtGC);
  double weights = 0, sum = 0, squares = 0, raw = 0, count = 0;
  for (uint w = 0; w < num_workers; w++) {
    const H2ObjectList& order = finder->worker(w)->order();
    for (size_t i = 0; i < order.length(); i += step) {
      H2SampledUnit unit(buffer, unit_bytes);
      unit.fill(order, i);
      const double weight = (double)unit.bytes();
      const double cost = unit.cost();
      weights += weight;
      sum += weight * cost;
      squares += weight * cost * cost;
      raw += cost < 1.0 ? 0.0 : weight;
      count++;
    }
  }
  FREE_C_HEAP_ARRAY(char, buffer);
  if (count == 0) {
    return H2Sample{1000, 0.0};
  }
  const double mean = sum / weights;
  const double variance = MAX2(squares / weights - mean * mean, 0.0);
  return H2Sample{(uint)ceil(1000 * MIN2(mean + 2 * sqrt(variance / count), 1.0)), raw / weights};
}
