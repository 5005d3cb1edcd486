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
#include "classfile/javaClasses.inline.hpp"
#include "classfile/vmClasses.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Shared.inline.hpp"
#include "gc/parallel/parallelScavengeHeap.hpp"
#include "gc/shared/referenceDiscoverer.hpp"
#include "memory/iterator.inline.hpp"
#include "oops/access.inline.hpp"
#include "oops/compressedOops.inline.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"
#include "utilities/growableArray.hpp"

H2ObjectBits H2Shared::_bits;
bool         H2Shared::_initialized = false;

void H2Shared::prepare() {
  if (!_initialized) {
    _initialized = _bits.initialize(H2Heap::h1(ParallelScavengeHeap::heap()->reserved_region()));
  }
}

void H2Shared::clear() {
  if (_initialized) {
    _bits.clear_all();
  }
}

// Calls f with each object in H1 that the fields of an object refer to (a Reference's
// referent apart).
template <typename Function>
class H2FieldsClosure : public BasicOopIterateClosure {
  Function _f;

  template <typename T> void do_oop_work(T* p) {
    T value = RawAccess<>::oop_load(p);
    if (!CompressedOops::is_null(value)) {
      oop obj = CompressedOops::decode_not_null(value);
      if (!H2Heap::contains(obj)) {
        _f(obj);
      }
    }
  }

 public:
  explicit H2FieldsClosure(Function f) : _f(f) {}
  ReferenceIterationMode reference_iteration_mode() override { return DO_FIELDS_EXCEPT_REFERENT; }
  void do_oop(oop* p) override       { do_oop_work(p); }
  void do_oop(narrowOop* p) override { do_oop_work(p); }
};

template <typename Function>
static void iterate_fields(oop obj, Function f) {
  H2FieldsClosure<Function> closure(f);
  obj->oop_iterate(&closure);
}

// What classes hold: mirrors (static fields) and constant pools' resolved references.
class H2ClassesClosure : public OopClosure {
  // The boot loader's classes keep caches of values in static arrays (Integer's, for
  // one): their elements are shared, too.
  static const int MaxCacheLength = 1024;

  bool                          _look_into_caches;
  GrowableArrayCHeap<oop, mtGC> _bound;  // added, and what they are bound to not yet

  void add(oop obj) {
    if (H2Shared::add(obj) && (obj->klass()->is_subclass_of(vmClasses::MethodHandle_klass()) ||
                               obj->klass()->is_subclass_of(vmClasses::CallSite_klass()))) {
      _bound.append(obj);
    }
  }

  void add_value(oop obj) {
    add(obj);
    if (_look_into_caches && obj->is_objArray() && objArrayOop(obj)->length() <= MaxCacheLength) {
      iterate_fields(obj, [&](oop element) { add(element); });
    }
    while (_bound.is_nonempty()) {
      iterate_fields(_bound.pop(), [&](oop target) { add(target); });
    }
  }

 public:
  H2ClassesClosure() : _look_into_caches(false), _bound() {}

  void set_look_into_caches(bool look) { _look_into_caches = look; }

  void do_oop(oop* p) override {
    oop obj = RawAccess<>::oop_load(p);
    if (obj != nullptr && !H2Heap::contains(obj) &&
        (obj->is_objArray() || obj->klass()->kind() == Klass::InstanceMirrorKlassKind)) {
      iterate_fields(obj, [&](oop value) { add_value(value); });
    }
  }
  void do_oop(narrowOop* p) override { ShouldNotReachHere(); }
};

class H2LoadersClosure : public CLDClosure {
  H2ClassesClosure _classes;

 public:
  void do_cld(ClassLoaderData* cld) override {
    _classes.set_look_into_caches(cld->is_the_null_class_loader_data());
    cld->oops_do(&_classes, ClassLoaderData::_claim_none);
  }
};

bool H2Shared::add_what_classes_hold() {
  if (_initialized) {
    H2LoadersClosure loaders;
    ClassLoaderDataGraph::cld_do(&loaders);
  }
  return _initialized;
}

// Sees each PhantomReference that marking comes by, and leaves the rest to the collector.
class H2Discoverer : public ReferenceDiscoverer {
  ReferenceDiscoverer* const _collectors;

  static bool refers_to(oop obj, oop value) {
    bool found = false;
    iterate_fields(obj, [&](oop field) { found |= field == value; });
    return found;
  }

  static void add_what_cleaning_needs(oop reference) {
    oop referent = java_lang_ref_Reference::unknown_referent_no_keepalive(reference);
    const bool can_look = referent != nullptr && !H2Heap::contains(referent) && referent->is_instance();
    iterate_fields(reference, [&](oop action) {
      H2Shared::add(action);
      if (can_look && action->is_instance()) {
        iterate_fields(action, [&](oop state) {
          if (refers_to(referent, state)) {
            H2Shared::add(state);
          }
        });
      }
    });
  }

 public:
  explicit H2Discoverer(ReferenceDiscoverer* collectors) : _collectors(collectors) {}

  bool discover_reference(oop reference, ReferenceType type) override {
    if (type == REF_PHANTOM && H2Shared::is_initialized()) {
      add_what_cleaning_needs(reference);
    }
    return _collectors->discover_reference(reference, type);
  }
};

ReferenceDiscoverer* H2Shared::discoverer(ReferenceDiscoverer* collectors) {
  return H2Heap::is_enabled() ? new H2Discoverer(collectors) : collectors;
}
