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

#include "gc/h2/h2Allocator.hpp"
#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2ShapeTable.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "runtime/mutex.hpp"
#include "runtime/mutexLocker.hpp"
#include "utilities/align.hpp"
#include "utilities/powerOfTwo.hpp"

H2LabelMap<H2Region*>* H2Allocator::_open = nullptr;
size_t H2Allocator::_large_words = 0;

static Mutex* allocator_lock() {
  static Mutex* const lock = new Mutex(Mutex::nosafepoint, "H2Allocator_lock");
  return lock;
}

size_t H2Allocator::grain_words() {
  return MAX2(H2Heap::backend()->unit_bytes(), H2ShapeBlockBytes) >> LogHeapWordSize;
}

// About two thousand of them fill H2.
uint H2Allocator::longest_run() {
  const size_t bytes = clamp(round_up_power_of_2(H2Heap::capacity() / 2048), 2 * M, 64 * M);
  return regions_for(MIN2(bytes, round_down_power_of_2(H2Heap::capacity() / 8)) >> LogHeapWordSize);
}

size_t H2Allocator::lab_words() {
  const size_t most = (512 * K) >> LogHeapWordSize;
  return clamp(longest_run() * H2Heap::regions()->region_words() / 4, grain_words(), MAX2(most, grain_words()));
}

HeapWord* H2Allocator::pad_end(HeapWord* p) {
  HeapWord* end = align_up(p, grain_words() << LogHeapWordSize);
  const size_t gap = pointer_delta(end, p);
  if (gap > 0 && gap < CollectedHeap::min_fill_size()) {
    end += grain_words();
  }
  return end;
}

HeapWord* H2Lab::allocate(size_t words) {
  const size_t left = pointer_delta(_space.end(), _top);
  // The rest must be nothing or enough for a filler.
  if (words != left && words + CollectedHeap::min_fill_size() > left) {
    return nullptr;
  }
  HeapWord* const result = _top;
  _top += words;
  return result;
}

void H2Allocator::initialize() {
  _large_words = lab_words() / 2;
  _open = new H2LabelMap<H2Region*>();
}

uint H2Allocator::regions_for(size_t words) {
  const size_t region_words = H2Heap::regions()->region_words();
  return checked_cast<uint>(align_up(words, region_words) / region_words);
}

// As long as wanted, or where H2 has no such run left, at least half or a quarter of that, and so on.
H2Region* H2Allocator::allocate_run(jlong label, uint least, uint wanted) {
  H2Region* region = nullptr;
  uint run = MAX2(wanted, least);
  while ((region = H2Heap::regions()->allocate(label, run)) == nullptr && run > least) {
    run = MAX2(run / 2, least);
  }
  return region;
}

H2Region* H2Allocator::open_run(jlong label, size_t words) {
  H2Region** const open = _open->get(label);
  if (open != nullptr && pointer_delta((*open)->end(), (*open)->top()) >= words) {
    return *open;
  }
  const bool is_first = open == nullptr || label == H2OwnLabels::Shared;
  const uint wanted = is_first ? 1 : MIN2(2 * (*open)->run(), longest_run());
  H2Region* const region = allocate_run(label, regions_for(words), wanted);
  if (region != nullptr) {
    bool is_new;
    *_open->get_or_add(label, region, &is_new) = region;
  }
  return region;
}

bool H2Allocator::has_open_run(jlong label) {
  return _open->get(label) != nullptr;
}

void H2Allocator::open(jlong label, size_t words) {
  if (_open->get(label) == nullptr && words > 0) {
    const size_t padded = align_up(words + CollectedHeap::min_fill_size(), grain_words());
    const uint wanted = MIN2(regions_for(padded), longest_run());
    H2Region* const region = allocate_run(label, 1, wanted);
    if (region != nullptr) {
      bool is_new;
      _open->get_or_add(label, region, &is_new);
    }
  }
}

MemRegion H2Allocator::bump(H2Region* region, size_t words) {
  const MemRegion result(region->top(), words);
  H2Heap::regions()->set_top(region, result.end());
  _budget -= words << LogHeapWordSize;
  return result;
}

MemRegion H2Allocator::allocate_lab(jlong label, size_t least, size_t wanted) {
  MutexLocker ml(allocator_lock(), Mutex::_no_safepoint_check_flag);
  const size_t needed = align_up(least + CollectedHeap::min_fill_size(), grain_words());
  const size_t affordable = align_down(_budget >> LogHeapWordSize, grain_words());
  if (affordable < needed) {
    return MemRegion();
  }
  H2Region* const region = open_run(label, needed);
  if (region == nullptr) {
    return MemRegion();
  }
  const size_t left = pointer_delta(region->end(), region->top());
  const size_t most = MIN3(lab_words(), affordable, left);
  return bump(region, clamp(align_up(MIN2(wanted, most), grain_words()), needed, MAX2(most, needed)));
}

MemRegion H2Allocator::allocate_large(jlong label, size_t words) {
  MutexLocker ml(allocator_lock(), Mutex::_no_safepoint_check_flag);
  // Every possible start is a grain's, so the padded size does not depend on it.
  const size_t padded = pointer_delta(pad_end(H2Heap::start() + words), H2Heap::start());
  if (_budget < padded << LogHeapWordSize) {
    return MemRegion();
  }
  const uint least = regions_for(padded);
  // An object that would fill most of a run has one for itself.
  H2Region* const region = least > longest_run() / 2 ? H2Heap::regions()->allocate(label, least) : open_run(label, padded);
  return region == nullptr ? MemRegion() : bump(region, padded);
}

MemRegion H2Allocator::retire(MemRegion lab, HeapWord* top) {
  MutexLocker ml(allocator_lock(), Mutex::_no_safepoint_check_flag);
  HeapWord* const end = pad_end(top);
  const MemRegion unused(end, lab.end());
  H2Region* const region = H2Heap::regions()->head(lab.start());
  if (region->top() == lab.end()) {
    H2Heap::regions()->set_top(region, end);
    _budget += unused.byte_size();
    return MemRegion();
  }
  return unused;
}

void H2Allocator::forget_freed() {
  _open->remove_if([](jlong label, const H2Region* region) {
    return !region->is_in_use() || region->is_returning() || region->label() != label;
  });
}
