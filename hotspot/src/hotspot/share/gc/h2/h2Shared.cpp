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
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Shared.inline.hpp"
#include "gc/h2/h2Tracer.hpp"
#include "gc/parallel/parallelScavengeHeap.hpp"
#include "gc/shared/referenceDiscoverer.hpp"
#include "gc/shared/oopStorage.inline.hpp"
#include "memory/iterator.inline.hpp"
#include "memory/universe.hpp"
#include "oops/access.inline.hpp"
#include "oops/compressedOops.inline.hpp"
#include "oops/fieldStreams.inline.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/signature.hpp"
#include "utilities/growableArray.hpp"

H2ObjectBits H2Shared::_bits;
H2ObjectBits H2Shared::_constants;
bool         H2Shared::_initialized = false;

void H2Shared::prepare() {
  if (!_initialized) {
    const MemRegion h1 = H2Heap::h1(ParallelScavengeHeap::heap()->reserved_region());
    _initialized = _bits.initialize(h1) && _constants.initialize(h1);
  }
}

void H2Shared::clear() {
  if (_initialized) {
    _bits.clear_all();
    _constants.clear_all();
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

class H2DependenciesClosure : public BasicOopIterateClosure {
  H2Region* const _region;

  template <typename T> void do_oop_work(T* p) {
    T value = RawAccess<>::oop_load(p);
    if (CompressedOops::is_null(value)) {
      return;
    }
    oop obj = CompressedOops::decode_not_null(value);
    if (H2Heap::contains(obj)) {
      const uint target = H2Heap::regions()->head_index(cast_from_oop<HeapWord*>(obj));
      if (target != _region->head()) {
        _region->add_dependency(target);
      }
    }
  }

 public:
  explicit H2DependenciesClosure(H2Region* region) : _region(region) {}
  void do_oop(oop* p) override       { do_oop_work(p); }
  void do_oop(narrowOop* p) override { do_oop_work(p); }
};

// Adds what is held, and what method handles and call sites among that are bound to.
class H2Holders : public StackObj {
  GrowableArrayCHeap<oop, mtGC> _bound;  // added, and what they are bound to not yet

  static bool is_a(oop obj, Klass* klass) { return obj->klass()->is_subclass_of(klass); }

  void add_one(oop obj, bool constant) {
    const bool is_new = H2Shared::add(obj);
    const bool is_new_constant = constant && H2Shared::add_constant(obj);
    if ((is_new || is_new_constant) &&
        (is_a(obj, vmClasses::MethodHandle_klass()) || is_a(obj, vmClasses::CallSite_klass()))) {
      _bound.append(obj);
    }
  }

 public:
  H2Holders() : _bound() {}

  void add(oop obj, bool constant) {
    add_one(obj, constant);
    while (_bound.is_nonempty()) {
      const oop holder = _bound.pop();
      // A call site may be bound to something else later.
      const bool for_good = H2Shared::is_constant(holder) && is_a(holder, vmClasses::MethodHandle_klass());
      iterate_fields(holder, [&](oop target) { add_one(target, for_good); });
    }
  }

  // And so many levels of elements, if it is an array.
  void add_with_elements(oop obj, bool constant, int levels) {
    add(obj, constant);
    if (levels > 0 && obj->is_objArray()) {
      iterate_fields(obj, [&](oop element) { add_with_elements(element, constant, levels - 1); });
    }
  }
};

// What classes hold: mirrors (static fields) and constant pools' resolved references.
class H2LoadersClosure : public CLDClosure, public OopClosure {
  // The boot loader's classes keep caches of values in static arrays (Integer's, for
  // one): their elements are shared, too.
  static const int MaxCacheLength = 1024;

  H2Holders* const _holders;
  bool             _is_boot;
  bool             _is_permanent;

  void add_value(oop value, bool constant) {
    const bool is_cache = _is_boot && value->is_objArray() && objArrayOop(value)->length() <= MaxCacheLength;
    _holders->add_with_elements(value, constant, is_cache ? 1 : 0);
  }

  void add_final_fields(oop mirror) {
    Klass* const klass = java_lang_Class::as_Klass(mirror);
    if (klass == nullptr || !klass->is_instance_klass()) {
      return;
    }
    for (JavaFieldStream fields(InstanceKlass::cast(klass)); !fields.done(); fields.next()) {
      if (fields.access_flags().is_static() && fields.access_flags().is_final() &&
          is_reference_type(Signature::basic_type(fields.signature()))) {
        oop value = mirror->obj_field(fields.offset());
        if (value != nullptr && !H2Heap::contains(value)) {
          add_value(value, true);
        }
      }
    }
  }

 public:
  explicit H2LoadersClosure(H2Holders* holders) : _holders(holders), _is_boot(false), _is_permanent(false) {}

  void do_cld(ClassLoaderData* cld) override {
    _is_boot = cld->is_the_null_class_loader_data();
    _is_permanent = cld->is_permanent_class_loader_data();
    cld->oops_do(this, ClassLoaderData::_claim_none);
  }

  void do_oop(oop* p) override {
    oop obj = RawAccess<>::oop_load(p);
    if (obj == nullptr || H2Heap::contains(obj)) {
      return;
    }
    if (obj->is_objArray()) {
      iterate_fields(obj, [&](oop value) { add_value(value, _is_permanent); });
    } else if (obj->klass()->kind() == Klass::InstanceMirrorKlassKind) {
      iterate_fields(obj, [&](oop value) { add_value(value, false); });
      if (_is_permanent) {
        add_final_fields(obj);
      }
    }
  }
  void do_oop(narrowOop* p) override { ShouldNotReachHere(); }
};

// What the VM holds. Of its archive that is an array of arrays: constant pools' resolved
// references, for one. The archive's strings are two arrays further (StringTable).
class H2VMClosure : public OopClosure {
  H2Holders* const _holders;

 public:
  explicit H2VMClosure(H2Holders* holders) : _holders(holders) {}

  void do_oop(oop* p) override {
    oop obj = RawAccess<>::oop_load(p);
    if (obj != nullptr && !H2Heap::contains(obj)) {
      _holders->add_with_elements(obj, true, 2);
    }
  }
  void do_oop(narrowOop* p) override { ShouldNotReachHere(); }
};

void H2Shared::renew_dependencies() {
  H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->length(); i++) {
    H2Region* const region = regions->at(i);
    if (!region->is_in_use() || region->label() != H2Tracer::SharedLabel) {
      continue;
    }
    region->forget_dependencies();
    H2DependenciesClosure dependencies(region);
    for (HeapWord* p = region->bottom(); p < region->top(); p += cast_to_oop(p)->size()) {
      cast_to_oop(p)->oop_iterate(&dependencies);
    }
  }
}

bool H2Shared::add_what_is_held() {
  if (_initialized) {
    H2Holders holders;
    H2LoadersClosure loaders(&holders);
    ClassLoaderDataGraph::cld_do(&loaders);
    H2VMClosure vm(&holders);
    Universe::vm_global()->oops_do(&vm);
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
    const bool is_in_h2 = referent != nullptr && H2Heap::contains(referent);
    const bool can_look = referent != nullptr && !is_in_h2 && referent->is_instance();
    const bool is_jdks = reference->klass()->class_loader_data()->is_the_null_class_loader_data();
    iterate_fields(reference, [&](oop action) {
      // What a referent in H2 refers to, which may not be in DRAM, is not asked.
      if (is_jdks || is_in_h2 || (can_look && refers_to(referent, action))) {
        H2Shared::add(action);
      }
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
