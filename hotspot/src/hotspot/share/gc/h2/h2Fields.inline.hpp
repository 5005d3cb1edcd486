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

#ifndef SHARE_GC_H2_H2FIELDS_INLINE_HPP
#define SHARE_GC_H2_H2FIELDS_INLINE_HPP

#include "gc/h2/h2Heap.hpp"
#include "memory/iterator.inline.hpp"
#include "memory/memRegion.hpp"
#include "oops/access.inline.hpp"
#include "oops/compressedOops.inline.hpp"
#include "oops/objArrayOop.inline.hpp"
#include "oops/oop.inline.hpp"
#include "utilities/checkedCast.hpp"

// Calls f(p, obj) with each field that is not null, and the object that it refers to.
template <typename Function, OopIterateClosure::ReferenceIterationMode Mode>
class H2FieldClosure : public BasicOopIterateClosure {
  Function _f;

  template <typename T> void do_oop_work(T* p) {
    T value = RawAccess<>::oop_load(p);
    if (!CompressedOops::is_null(value)) {
      _f(p, CompressedOops::decode_not_null(value));
    }
  }

 public:
  explicit H2FieldClosure(Function f) : _f(f) {}
  OopIterateClosure::ReferenceIterationMode reference_iteration_mode() override { return Mode; }
  void do_oop(oop* p) override       { do_oop_work(p); }
  void do_oop(narrowOop* p) override { do_oop_work(p); }
};

// All fields, a Reference's referent among them.
template <typename Function>
inline void h2_iterate_fields(oop obj, Function f) {
  H2FieldClosure<Function, OopIterateClosure::DO_FIELDS> closure(f);
  obj->oop_iterate(&closure);
}

// All but a Reference's referent.
template <typename Function>
inline void h2_iterate_strong_fields(oop obj, Function f) {
  H2FieldClosure<Function, OopIterateClosure::DO_FIELDS_EXCEPT_REFERENT> closure(f);
  obj->oop_iterate(&closure);
}

// Fields that lie in a part of the object.
template <typename Function>
inline void h2_iterate_fields(oop obj, MemRegion part, Function f) {
  H2FieldClosure<Function, OopIterateClosure::DO_FIELDS> closure(f);
  obj->oop_iterate(&closure, part);
}

// Elements [start, end).
template <typename Function>
inline void h2_iterate_elements(objArrayOop array, size_t start, size_t end, Function f) {
  H2FieldClosure<Function, OopIterateClosure::DO_FIELDS> closure(f);
  array->oop_iterate_range(&closure, checked_cast<int>(start), checked_cast<int>(end));
}

// Calls f with each object in H1 that the fields refer to, but not with a Reference's referent.
template <typename Function>
inline void h2_iterate_h1_targets(oop obj, Function f) {
  h2_iterate_strong_fields(obj, [&](void*, oop target) {
    if (!H2Heap::contains(target)) {
      f(target);
    }
  });
}

#endif // SHARE_GC_H2_H2FIELDS_INLINE_HPP
