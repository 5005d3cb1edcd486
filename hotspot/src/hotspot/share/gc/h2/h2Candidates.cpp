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

#include "classfile/classLoaderDataGraph.hpp"
#include "classfile/vmClasses.hpp"
#include "gc/h2/h2Candidates.inline.hpp"
#include "gc/parallel/parallelScavengeHeap.inline.hpp"
#include "logging/log.hpp"
#include "memory/iterator.inline.hpp"
#include "oops/access.inline.hpp"
#include "oops/compressedOops.inline.hpp"
#include "oops/klass.inline.hpp"
#include "oops/markWord.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/objectMonitor.hpp"
#include "runtime/synchronizer.hpp"

H2ObjectBits H2Candidates::_bits;
H2ObjectBits H2Candidates::_shared;
bool         H2Candidates::_initialized = false;

bool H2Candidates::begin() {
  if (!_initialized) {
    const MemRegion h1 = H2Heap::h1(ParallelScavengeHeap::heap()->reserved_region());
    _initialized = _bits.initialize(h1) && _shared.initialize(h1);
  }
  if (_initialized) {
    mark_shared();
  }
  return _initialized;
}

void H2Candidates::end() {
  _bits.clear_all();
  _shared.clear_all();
}

// Marks what a static field or a constant refers to.
class H2MarkSharedClosure : public BasicOopIterateClosure {
  template <typename T> void do_oop_work(T* p) {
    T value = RawAccess<>::oop_load(p);
    if (!CompressedOops::is_null(value)) {
      oop obj = CompressedOops::decode_not_null(value);
      if (!H2Heap::contains(obj)) {
        H2Candidates::shared()->par_set(obj);
      }
    }
  }

 public:
  void do_oop(oop* p) override       { do_oop_work(p); }
  void do_oop(narrowOop* p) override { do_oop_work(p); }
};

// Looks into mirrors (static fields) and constant pools' resolved references.
class H2LoaderHandleClosure : public OopClosure {
  BasicOopIterateClosure* const _fields;

 public:
  explicit H2LoaderHandleClosure(BasicOopIterateClosure* fields) : _fields(fields) {}

  void do_oop(oop* p) override {
    oop obj = RawAccess<>::oop_load(p);
    if (obj != nullptr && !H2Heap::contains(obj) &&
        (obj->is_objArray() || obj->klass()->kind() == Klass::InstanceMirrorKlassKind)) {
      obj->oop_iterate(_fields);
    }
  }
  void do_oop(narrowOop* p) override { ShouldNotReachHere(); }
};

// The boot loader's classes keep caches of values in static arrays (Integer's,
// for one): their elements are shared too.
class H2MarkCacheClosure : public BasicOopIterateClosure {
  static const int MaxLength = 1024;

  H2MarkSharedClosure _mark;

  template <typename T> void do_oop_work(T* p) {
    _mark.do_oop(p);
    T value = RawAccess<>::oop_load(p);
    if (CompressedOops::is_null(value)) {
      return;
    }
    oop obj = CompressedOops::decode_not_null(value);
    if (!H2Heap::contains(obj) && obj->is_objArray() && objArrayOop(obj)->length() <= MaxLength) {
      obj->oop_iterate(&_mark);
    }
  }

 public:
  void do_oop(oop* p) override       { do_oop_work(p); }
  void do_oop(narrowOop* p) override { do_oop_work(p); }
};

class H2LoaderClosure : public CLDClosure {
  H2MarkSharedClosure _fields;
  H2MarkCacheClosure  _caches;

 public:
  void do_cld(ClassLoaderData* cld) override {
    BasicOopIterateClosure* const fields = cld->is_the_null_class_loader_data() ? (BasicOopIterateClosure*)&_caches : &_fields;
    H2LoaderHandleClosure handles(fields);
    cld->oops_do(&handles, ClassLoaderData::_claim_none);
  }
};

void H2Candidates::mark_shared() {
  H2LoaderClosure loaders;
  ClassLoaderDataGraph::cld_do(&loaders);
}

static bool is_locked(markWord mark) {
  // An inflated monitor that nobody uses does not count: it follows its object.
  return mark.has_monitor() ? false : !mark.is_unlocked();
}

bool H2Candidates::is_movable(Klass* klass, markWord mark) {
  switch (klass->kind()) {
    case Klass::TypeArrayKlassKind:
    case Klass::ObjArrayKlassKind:
      return !is_locked(mark);
    case Klass::InstanceKlassKind:
      return !is_locked(mark) &&
             !klass->is_subclass_of(vmClasses::Thread_klass()) &&
             !klass->is_subclass_of(vmClasses::Continuation_klass());
    default:
      return false;
  }
}
