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
#include "gc/h2/h2Crossings.hpp"
#include "gc/h2/h2Fields.inline.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Held.inline.hpp"
#include "gc/h2/h2Labels.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/shared/referenceDiscoverer.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"

H2ObjectBits H2Held::_bits;
H2ObjectBits H2Held::_constants;
H2ObjectBits H2Held::_met;
bool         H2Held::_initialized = false;

void H2Held::prepare() {
  if (!_initialized) {
    const MemRegion h1 = H2Heap::h1();
    _initialized = _bits.initialize(h1) && _constants.initialize(h1) && _met.initialize(h1);
  }
}

void H2Held::clear() {
  if (_initialized) {
    _bits.clear_all();
    _constants.clear_all();
    _met.clear_all();
  }
}

void H2Held::renew_dependencies() {
  H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->limit(); i++) {
    H2Region* const region = regions->at(i);
    if (!region->is_in_use() || region->label() != H2OwnLabels::Constants) {
      continue;
    }
    region->forget_dependencies();
    H2Shapes::settle(region);
    for (HeapWord* p = region->bottom(); p < region->top(); p += cast_to_oop(p)->size()) {
      h2_iterate_fields(cast_to_oop(p), [&](void*, oop target) {
        if (H2Heap::contains(target)) {
          region->refer_to(regions->head_index(target));
        }
      });
    }
  }
}

// Counts the references to H2 that marking comes by, sees what PhantomReferences need, and leaves the rest to the
// collector.
class H2Discoverer : public ReferenceDiscoverer {
  ReferenceDiscoverer* const _collectors;
  H2Crossings* const         _crossings;

  static bool refers_to(oop obj, oop value) {
    bool found = false;
    h2_iterate_h1_targets(obj, [&](oop field) { found |= field == value; });
    return found;
  }

  static void add_what_cleaning_needs(oop reference) {
    oop referent = java_lang_ref_Reference::unknown_referent_no_keepalive(reference);
    const bool is_in_h2 = referent != nullptr && H2Heap::contains(referent);
    const bool can_look = referent != nullptr && !is_in_h2 && referent->is_instance();
    const bool is_jdks = reference->klass()->class_loader_data()->is_the_null_class_loader_data();
    h2_iterate_h1_targets(reference, [&](oop action) {
      // An object to which a referent in H2 refers, which may not be in DRAM, is not asked.
      if (is_jdks || is_in_h2 || (can_look && refers_to(referent, action))) {
        H2Held::add(action);
      }
      if (can_look && action->is_instance()) {
        h2_iterate_h1_targets(action, [&](oop state) {
          if (refers_to(referent, state)) {
            H2Held::add(state);
          }
        });
      }
    });
  }

 public:
  H2Discoverer(ReferenceDiscoverer* collectors, H2Crossings* crossings) : _collectors(collectors), _crossings(crossings) {}

  bool discover_reference(oop reference, ReferenceType type) override {
    const oop referent = java_lang_ref_Reference::unknown_referent_no_keepalive(reference);
    if (referent != nullptr && H2Heap::contains(referent)) {
      _crossings->add_reference(type);
    }
    if (type == REF_PHANTOM && H2Held::is_initialized()) {
      add_what_cleaning_needs(reference);
    }
    return _collectors->discover_reference(reference, type);
  }
};

ReferenceDiscoverer* H2Held::discoverer(ReferenceDiscoverer* collectors, H2Crossings* crossings) {
  return H2Heap::is_enabled() ? new H2Discoverer(collectors, crossings) : collectors;
}
