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
#include "oops/access.inline.hpp"
#include "oops/compressedOops.inline.hpp"
#include "oops/oop.inline.hpp"

// Calls do_field(p, obj) of Self, which extends this class, for each field of an object that
// is not null.
template <typename Self>
class H2FieldClosure : public BasicOopIterateClosure {
  template <typename T> void do_oop_work(T* p) {
    T value = RawAccess<>::oop_load(p);
    if (!CompressedOops::is_null(value)) {
      static_cast<Self*>(this)->do_field(p, CompressedOops::decode_not_null(value));
    }
  }

 public:
  void do_oop(oop* p) override       { do_oop_work(p); }
  void do_oop(narrowOop* p) override { do_oop_work(p); }
};

// Calls f with each object in H1 that the fields of an object refer to (a Reference's
// referent apart).
template <typename Function>
class H2FieldsClosure : public H2FieldClosure<H2FieldsClosure<Function>> {
  Function _f;

 public:
  explicit H2FieldsClosure(Function f) : _f(f) {}
  OopIterateClosure::ReferenceIterationMode reference_iteration_mode() override { return OopIterateClosure::DO_FIELDS_EXCEPT_REFERENT; }
  void do_field(void* p, oop obj) {
    if (!H2Heap::contains(obj)) {
      _f(obj);
    }
  }
};

template <typename Function>
inline void h2_iterate_fields(oop obj, Function f) {
  H2FieldsClosure<Function> closure(f);
  obj->oop_iterate(&closure);
}

#endif // SHARE_GC_H2_H2FIELDS_INLINE_HPP
