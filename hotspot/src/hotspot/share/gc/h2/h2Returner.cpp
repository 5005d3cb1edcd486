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

#include "code/codeCache.hpp"
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Collectors.inline.hpp"
#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2HotLabels.hpp"
#include "gc/h2/h2RegionFreer.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2Returner.inline.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/h2/h2Stresser.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/gcTraceTime.inline.hpp"
#include "gc/shared/weakProcessor.hpp"
#include "gc/shared/workerThread.hpp"
#include "memory/iterator.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"
#include "runtime/mutexLocker.hpp"
#include "utilities/bitMap.inline.hpp"
#include "utilities/copy.hpp"

GrowableArrayCHeap<H2Returner::Request, mtGC>* H2Returner::_requested = nullptr;
H2Returner::Returned* H2Returner::_returned = nullptr;
size_t H2Returner::_returned_bytes = 0;

static Mutex* requests_lock() {
  static Mutex* const lock = new Mutex(Mutex::nosafepoint, "H2Returner_lock");
  return lock;
}

void H2Returner::add_request(Request request) {
  MutexLocker ml(requests_lock(), Mutex::_no_safepoint_check_flag);
  if (_requested == nullptr) {
    _requested = new GrowableArrayCHeap<Request, mtGC>();
  }
  _requested->append(request);
}

void H2Returner::request(jlong label) { add_request(Request{label, 100, false}); }
void H2Returner::propose(jlong label) { add_request(Request{label, H2MoveThreshold, true}); }

bool H2Returner::take_request(Request* request) {
  MutexLocker ml(requests_lock(), Mutex::_no_safepoint_check_flag);
  if (_requested == nullptr || _requested->is_empty()) {
    return false;
  }
  *request = _requested->pop();
  return true;
}

// From the start of the lower one to the end of the other.
static MemRegion span_of(MemRegion a, MemRegion b) {
  if (a.is_empty() || b.is_empty()) {
    return a.is_empty() ? b : a;
  }
  return MemRegion(MIN2(a.start(), b.start()), MAX2(a.end(), b.end()));
}

// Regions that return together.
class H2ReturnGroup : public StackObj {
  GrowableArrayCHeap<H2Region*, mtGC> _regions;
  CHeapBitMap                         _chosen;  // the same, by index
  size_t                              _words;

  class CopyTask;

  bool is_candidate(const H2Region* region) const {
    return region->is_in_use() && !region->is_returning() && !_chosen.at(region->head());
  }

  bool depends(const H2Region* region) const {
    for (uint dependency : *region->dependencies()) {
      if (_chosen.at(dependency)) {
        return true;
      }
    }
    return false;
  }

  // Adds the regions for which the condition holds.
  template <typename Condition>
  bool add_if(Condition condition) {
    H2RegionTable* const all = H2Heap::regions();
    const int before = _regions.length();
    for (uint i = 0; i < all->limit(); i++) {
      H2Region* const region = all->at(i);
      if (is_candidate(region) && condition(region)) {
        _regions.append(region);
        _chosen.set_bit(i);
        _words += region->used_bytes() >> LogHeapWordSize;
      }
    }
    return _regions.length() > before;
  }

  // Leaves fillers in the places that were found so far.
  void forget_places() {
    for (H2Region* region : _regions) {
      if (region->is_returning()) {
        CollectedHeap::fill_with_objects(region->copy(), pointer_delta(region->top(), region->bottom()));
        region->set_copy(nullptr);
      }
    }
  }

 public:
  explicit H2ReturnGroup(jlong label) :
    _regions(), _chosen(H2Heap::regions()->length(), mtGC), _words(0) {
    add_if([=](const H2Region* region) {
      return region->has_label([=](jlong other) { return other == label; });
    });
    // And what depends on them, whatever its label.
    while (add_if([this](const H2Region* region) { return depends(region); })) {}
  }

  size_t words() const { return _words; }
  int length() const   { return _regions.length(); }

  // Labels of the regions, and of roots in them that moved along with a group of another label.
  void add_labels(H2LabelSet* labels) const {
    for (const H2Region* region : _regions) {
      region->each_label([=](jlong label, HeapWord*, HeapWord*, size_t) { labels->add(label); });
      for (const H2MovedRoot& root : *region->roots()) {
        labels->add(root._label);
      }
    }
  }

  // The roots are tagged in H1.
  void put_tags_back() const {
    for (const H2Region* region : _regions) {
      H2Tags::put_back(region);
    }
  }

  // With as much left of the old generation's first `percent` for what else survives.
  bool fits(uint percent) const {
    const H2HeapUse h1 = H2Heap::collector()->use();
    const size_t most = h1._old_max / 100 * percent;
    return _words <= (most - MIN2(most, h1._old_used)) / 2 >> LogHeapWordSize;
  }

  // A place in the old generation for each. False if the memory cannot be had.
  bool allocate() {
    for (H2Region* region : _regions) {
      HeapWord* const copy = H2Heap::collector()->allocate_old(region->used_bytes() >> LogHeapWordSize);
      if (copy == nullptr) {
        forget_places();
        return false;
      }
      region->set_copy(copy);
    }
    return true;
  }

  void copy();

  // The span of all copies.
  MemRegion copies() const {
    MemRegion span;
    for (const H2Region* region : _regions) {
      span = span_of(span, MemRegion(region->copy(), pointer_delta(region->top(), region->bottom())));
    }
    return span;
  }
};

class H2ReturnGroup::CopyTask : public WorkerTask {
  const GrowableArrayCHeap<H2Region*, mtGC>& _regions;
  volatile int                               _next;

  // Also tells the old generation where objects start.
  static void copy(const H2Region* region) {
    H2Shapes::settle(region);
    const size_t words = pointer_delta(region->top(), region->bottom());
    Copy::aligned_disjoint_words(region->bottom(), region->copy(), words);
    HeapWord* const end = region->copy() + words;
    for (HeapWord* p = region->copy(); p < end; ) {
      HeapWord* const next = p + cast_to_oop(p)->size();
      H2Collectors::record_old_object(p, next);
      p = next;
    }
  }

 public:
  explicit CopyTask(const GrowableArrayCHeap<H2Region*, mtGC>& regions) : WorkerTask("H2 return"), _regions(regions), _next(0) {}

  void work(uint worker_id) override {
    int i;
    while ((i = Atomic::fetch_then_add(&_next, 1)) < _regions.length()) {
      copy(_regions.at(i));
    }
  }
};

void H2ReturnGroup::copy() {
  CopyTask task(_regions);
  H2Heap::collector()->workers()->run_task(&task);
}

void H2Returner::return_label(Request request) {
  const jlong label = request._label;
  H2ReturnGroup group(label);
  if (group.words() == 0) {
    return;
  }
  H2LabelSet labels;
  group.add_labels(&labels);
  if (request._by_itself && H2Tags::is_any_requested(labels)) {
    H2Decisions::note("Label " JLONG_FORMAT " stays in H2: the program asks for it, or for what refers to it", label);
    return;
  }
  const size_t bytes = group.words() << LogHeapWordSize;
  if (!group.fits(request._percent) || !group.allocate()) {
    H2Decisions::note("Label " JLONG_FORMAT " and what refers to it stay in H2: %zuK are too much for the old generation", label, bytes / K);
    return;
  }
  group.copy();
  group.put_tags_back();
  // An earlier request is no reason to move again.
  labels.each([](jlong returned) { H2Tags::forget(returned); });
  if (_returned == nullptr) {
    _returned = new Returned();
  }
  _returned->_labels.add_all(labels);
  _returned->_copies = span_of(_returned->_copies, group.copies());
  _returned_bytes += bytes;
  H2Decisions::note("Label " JLONG_FORMAT " and what refers to it return: %d regions, %zuK", label, group.length(), bytes / K);
}

void H2Returner::return_requested() {
  Request request;
  while (take_request(&request)) {
    return_label(request);
  }
}

class H2RedirectClosure : public OopClosure {
 public:
  void do_oop(oop* p) override {
    oop obj = *p;
    if (obj != nullptr && H2Heap::contains(obj)) {
      H2Returner::redirect(p, &obj);
    }
  }
  void do_oop(narrowOop* p) override { ShouldNotReachHere(); }
};

// Code that nobody runs as well, which marking does not visit: where it dies, it is
// unlinked from its call sites, whose copies must know.
void H2Returner::redirect_code() {
  if (_returned == nullptr && !H2HotObjects::is_gathering()) {
    return;
  }
  H2RedirectClosure redirect;
  NMethodToOopClosure nmethods(&redirect, NMethodToOopClosure::FixRelocations);
  CodeCache::nmethods_do(&nmethods);
}

// Marking does not change them, and adjusting comes too late: the old places may be nobody's by then, or somebody else's.
void H2Returner::redirect_weak_handles() {
  if (H2HotObjects::is_gathering()) {
    H2RedirectClosure redirect;
    WeakProcessor::oops_do(&redirect);
  }
}

void H2Returner::prepare(STWGCTimer* timer) {
  GCTraceTime(Debug, gc, phases) tm("H2 Return", timer);
  return_requested();
  // After that, as it takes what room is left.
  jlong label;
  if (H2HotLabels::find(&label)) {
    propose(label);
  }
  if (H2Stress && H2Stresser::choose_to_return(&label)) {
    request(label);
  }
  return_requested();
}

void H2Returner::finish() {
  if (_returned == nullptr) {
    return;
  }
  delete _returned;
  _returned = nullptr;
  H2RegionTable* const regions = H2Heap::regions();
  H2RegionFreer freer(regions);
  for (uint i = 0; i < regions->limit(); i++) {
    H2Region* const region = regions->at(i);
    if (region->is_returning()) {
      freer.free(region);
    }
  }
}
