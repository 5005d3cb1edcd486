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

#include "classfile/classLoaderData.hpp"
#include "classfile/classLoaderDataGraph.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/vmClasses.hpp"
#include "gc/h2/h2Fields.inline.hpp"
#include "gc/h2/h2Held.inline.hpp"
#include "gc/h2/h2Holders.hpp"
#include "gc/h2/h2Strings.hpp"
#include "gc/shared/oopStorage.inline.hpp"
#include "logging/log.hpp"
#include "memory/universe.hpp"
#include "oops/fieldStreams.inline.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/klass.inline.hpp"
#include "oops/weakHandle.inline.hpp"
#include "runtime/signature.hpp"

// A full GC that moves something looks into so many objects for what caches have in them.
static const int MaxOpened = 64 * K;

static bool is_a(oop obj, Klass* klass) { return obj->klass()->is_subclass_of(klass); }

static bool is_jdks(Klass* klass) {
  return klass->is_instance_klass() && klass->class_loader_data()->is_the_null_class_loader_data();
}

static bool implements(Klass* klass, const char* const* names, size_t count) {
  const Array<InstanceKlass*>* const interfaces = InstanceKlass::cast(klass)->transitive_interfaces();
  for (int i = 0; i < interfaces->length(); i++) {
    for (size_t j = 0; j < count; j++) {
      if (interfaces->at(i)->name()->equals(names[j])) {
        return true;
      }
    }
  }
  return false;
}

// An array, or a map, a collection or an atomic cell of the JDK, or an entry of a map.
static bool is_container(oop obj) {
  static const char* const names[] = { "java/util/Map", "java/util/Collection", "java/util/Map$Entry" };
  Klass* const klass = obj->klass();
  if (!is_jdks(klass)) {
    return klass->is_objArray_klass();
  }
  return implements(klass, names, ARRAY_SIZE(names)) ||
         klass->name()->starts_with("java/util/concurrent/atomic/AtomicReference");
}

// Objects in a cache may have containers of their own (ZoneRulesProvider). Threads, executors and
// tasks are no caches: what they have in hand is the program's.
static bool is_plain_object(oop obj) {
  static const char* const names[] = { "java/lang/Runnable", "java/util/concurrent/Callable", "java/util/concurrent/Future",
                                       "java/util/concurrent/Executor" };
  Klass* const klass = obj->klass();
  return is_jdks(klass) && klass->kind() == Klass::InstanceKlassKind && !implements(klass, names, ARRAY_SIZE(names));
}

H2Holders::H2Holders() : _bound(), _closed(), _opened(1009, MaxOpened) {}

void H2Holders::add_one(oop obj, bool constant) {
  const bool is_new = H2Held::add(obj);
  const bool is_new_constant = constant && H2Held::add_constant(obj);
  if (!is_new && !is_new_constant) {
    return;
  }
  if (java_lang_String::is_instance(obj)) {
    // new String(s) has the value of s.
    const oop value = java_lang_String::value_no_keepalive(obj);
    if (value != nullptr && !H2Heap::contains(value)) {
      add_one(value, constant);
    }
  } else if (is_a(obj, vmClasses::MethodHandle_klass()) || is_a(obj, vmClasses::CallSite_klass())) {
    _bound.append(obj);
  }
}

void H2Holders::add(oop obj, bool constant) {
  add_one(obj, constant);
  while (_bound.is_nonempty()) {
    const oop holder = _bound.pop();
    // A call site may be bound to something else later.
    const bool for_good = H2Held::is_constant(holder) && is_a(holder, vmClasses::MethodHandle_klass());
    h2_iterate_h1_targets(holder, [&](oop target) { add_one(target, for_good); });
  }
}

void H2Holders::add_with_elements(oop obj, bool constant, int levels) {
  add(obj, constant);
  if (levels > 0 && obj->is_objArray()) {
    h2_iterate_h1_targets(obj, [&](oop element) { add_with_elements(element, constant, levels - 1); });
  }
}

void H2Holders::open_later(oop obj) {
  _opened.maybe_grow();
  if (_opened.number_of_entries() < MaxOpened && _opened.put(cast_from_oop<HeapWord*>(obj), true)) {
    _closed.append(obj);
  }
}

void H2Holders::add_with_contents(oop obj, bool constant) {
  add_with_elements(obj, constant, 1);
  if (is_container(obj) || is_plain_object(obj)) {
    open_later(obj);
  }
  while (_closed.is_nonempty()) {
    const oop holder = _closed.pop();
    const bool contains = is_container(holder);
    h2_iterate_h1_targets(holder, [&](oop content) {
      add(content, false);
      if (is_container(content) || (contains && is_plain_object(content))) {
        open_later(content);
      }
    });
  }
}

// Objects that classes hold: mirrors (static fields) and constant pools' resolved references.
class H2LoadersClosure : public CLDClosure, public OopClosure {
  H2Holders* const _holders;
  bool             _is_boot;
  bool             _is_permanent;

  // The boot loader's classes have caches of values, in arrays (Integer's) or maps (those of
  // time zones and their offsets): what is in them is shared, too. Maps of a
  // program's own classes may hold the very groups that are to move.
  void add_value(oop value, bool constant) {
    if (_is_boot) {
      _holders->add_with_contents(value, constant);
    } else {
      _holders->add(value, constant);
    }
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
      h2_iterate_h1_targets(obj, [&](oop value) { add_value(value, _is_permanent); });
    } else if (obj->klass()->kind() == Klass::InstanceMirrorKlassKind) {
      h2_iterate_h1_targets(obj, [&](oop value) { add_value(value, false); });
      if (_is_permanent) {
        add_final_fields(obj);
      }
    }
  }
  void do_oop(narrowOop* p) override { ShouldNotReachHere(); }
};

// Objects that the VM holds. Of its archive that is an array of arrays: constant pools' resolved
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

void H2Holders::add_all() {
  H2LoadersClosure loaders(this);
  ClassLoaderDataGraph::cld_do(&loaders);
  H2VMClosure vm(this);
  Universe::vm_global()->oops_do(&vm);
  for (const H2WeakRoot& value : *H2Strings::shared_values()) {
    const oop obj = value._object.peek();
    if (obj != nullptr && !H2Heap::contains(obj)) {
      add(obj, false);
    }
  }
  log_debug(gc, h2)("Looked into %d objects for what caches of the JDK hold", _opened.number_of_entries());
  if (_opened.number_of_entries() == MaxOpened) {
    log_info(gc, h2)("Caches of the JDK hold more than was looked into: groups that share with them may live with them");
  }
}
