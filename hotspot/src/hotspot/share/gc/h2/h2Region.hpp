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

#ifndef SHARE_GC_H2_H2REGION_HPP
#define SHARE_GC_H2_H2REGION_HPP

#include "gc/h2/h2LabelParts.hpp"
#include "gc/h2/h2RegionSet.hpp"
#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

class ClassLoaderData;

// A tagged root that has moved. Its tag holds again when the region returns.
struct H2MovedRoot {
  size_t _offset;  // words from the region's bottom
  jlong  _label;
};

// A region of H2: what is freed at once. It belongs to one label, or small labels share it
// and have parts of it; then it is no run. An object
// larger than a region takes a run of regions, of which the first (the head)
// stands for all and the others only point back to it.
//
// Everything here changes at a safepoint only. During a GC several workers may
// add dependencies and class loaders at once, and set the live mark.
class H2Region {
  enum State : uint8_t { Free, InUse, Continues };

  HeapWord*     _bottom;
  HeapWord*     _end;        // of the run
  HeapWord*     _top;        // [_bottom, _top) is a gapless row of objects and fillers
  HeapWord*     _copy;       // where that was copied to in H1; null but in the full GC in which it returns
  size_t        _dead_bytes; // of [_bottom, _top), as of the last look at liveness; 0 before
  jlong         _label;
  H2LabelParts* _parts;      // null if all of it is of one label
  uint          _head;       // index of the run's first region
  uint          _run;        // regions in the run
  State         _state;
  volatile bool _live;       // reached in the current full GC
  volatile int  _lock;       // guards the lists and the parts during a GC

  // Regions that objects here refer to, and class loaders (other than the boot
  // loader) of objects here. Both only grow until the region dies or a look finds them anew
  // (but see H2Held::renew_dependencies).
  H2RegionSet                                _dependencies;
  GrowableArrayCHeap<ClassLoaderData*, mtGC> _loaders;
  GrowableArrayCHeap<H2MovedRoot, mtGC>      _roots;

  class Locker;

 public:
  H2Region();

  void start_run(jlong label, uint head, uint run, HeapWord* bottom, HeapWord* end);
  void continue_run(uint head);
  // The run ends behind so many regions.
  void shorten(uint run, HeapWord* end);
  // A region in the middle of a run becomes the head of what follows, with the same lists.
  void become_rest_of(const H2Region* whole, uint head, HeapWord* bottom);
  void set_head(uint head)  { _head = head; }
  void free();

  bool is_free() const      { return _state == Free; }
  bool is_in_use() const    { return _state == InUse; }   // heads only
  HeapWord* bottom() const  { return _bottom; }
  HeapWord* end() const     { return _end; }
  HeapWord* top() const     { return _top; }
  // By H2RegionTable::set_top.
  void set_top(HeapWord* p) { assert(p >= _bottom && p <= _end, "top out of region"); _top = p; }
  // H2OwnLabels::Shared if small labels share it.
  jlong label() const       { return _label; }
  bool is_shared() const    { return _parts != nullptr; }
  H2LabelParts* parts()     { return _parts; }
  // The label of the object at p.
  jlong label_at(const void* p) const { return is_shared() ? _parts->label_at(p) : _label; }
  // Calls f(label, start, end, dead bytes) with each part that belongs to one label.
  template <typename Function>
  void each_label(Function f) const;
  // Whether some of it is of a label for which the condition holds.
  template <typename Condition>
  bool has_label(Condition condition) const;
  // In a region that is shared: what follows from p on moves here as the label's. By any worker.
  void begin_part(HeapWord* p, jlong label);
  uint head() const         { return _head; }
  uint run() const          { return _run; }
  size_t used_bytes() const { return pointer_delta(_top, _bottom, 1); }

  size_t dead_bytes() const      { return _dead_bytes; }
  void set_dead_bytes(size_t n)  { _dead_bytes = n; }

  HeapWord* copy() const         { return _copy; }
  void set_copy(HeapWord* p)     { _copy = p; }
  bool is_returning() const      { return _copy != nullptr; }

  bool is_live() const      { return _live; }
  void clear_live()         { _live = false; }
  // True for the one caller that made the region live.
  bool make_live();

  // By the VM thread.
  void add_root(HeapWord* p, jlong label);
  const GrowableArrayCHeap<H2MovedRoot, mtGC>* roots() const { return &_roots; }
  // Forgets those for which f(address) does not hold.
  template <typename Function>
  void keep_roots(Function f);

  void add_dependency(uint region);
  // An object here refers to one of that region. True if that is another one: this one now
  // depends on it.
  bool refer_to(uint region);
  void forget_dependencies()         { _dependencies.clear(); }
  // Leaves out that of the JDK's own classes, which the VM never unloads.
  void add_loader(ClassLoaderData* cld);
  // A look notes them anew.
  void forget_loaders()              { _loaders.clear(); }
  bool depends_on(uint region) const { return _dependencies.contains(region); }
  const GrowableArrayCHeap<uint, mtGC>* dependencies() const        { return _dependencies.list(); }
  const GrowableArrayCHeap<ClassLoaderData*, mtGC>* loaders() const { return &_loaders; }
};

inline bool H2Region::refer_to(uint region) {
  if (region == _head) {
    return false;
  }
  add_dependency(region);
  return true;
}

template <typename Function>
void H2Region::each_label(Function f) const {
  if (is_shared()) {
    _parts->each(_top, f);
  } else {
    f(_label, _bottom, _top, _dead_bytes);
  }
}

template <typename Condition>
bool H2Region::has_label(Condition condition) const {
  bool found = false;
  each_label([&](jlong label, HeapWord*, HeapWord*, size_t) { found = found || condition(label); });
  return found;
}

template <typename Function>
void H2Region::keep_roots(Function f) {
  int kept = 0;
  for (int i = 0; i < _roots.length(); i++) {
    if (f(_bottom + _roots.at(i)._offset)) {
      _roots.at_put(kept++, _roots.at(i));
    }
  }
  _roots.trunc_to(kept);
}

#endif // SHARE_GC_H2_H2REGION_HPP
