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

#include "classfile/javaClasses.inline.hpp"
#include "gc/h2/h2Crossings.hpp"
#include "gc/h2/h2Discoverer.hpp"
#include "gc/h2/h2Fields.inline.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Held.inline.hpp"
#include "gc/h2/h2Referents.hpp"
#include "gc/h2/h2Returner.inline.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/shared/referenceDiscoverer.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"

class H2MarkingDiscoverer : public ReferenceDiscoverer {
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

  // Whether H2DeadReferents will see to the Reference, in H2.
  static bool waits(oop reference) {
    if (H2Referents::is_followed(H2Referents::kind(reference->klass())) || !H2Referents::are_looked_at(H2Shapes::block(cast_from_oop<void*>(reference)))) {
      return false;
    }
    const oop referent = H2Referents::referent(reference);
    return !H2Heap::contains(referent) || H2Returner::copy_of(referent) == nullptr;
  }

 public:
  H2MarkingDiscoverer(ReferenceDiscoverer* collectors, H2Crossings* crossings) : _collectors(collectors), _crossings(crossings) {}

  bool discover_reference(oop reference, ReferenceType type) override {
    if (H2Heap::contains(reference)) {
      // True has marking pass by the referent.
      return waits(reference);
    }
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

ReferenceDiscoverer* H2Discoverer::make(ReferenceDiscoverer* collectors, H2Crossings* crossings) {
  return H2Heap::is_enabled() ? new H2MarkingDiscoverer(collectors, crossings) : collectors;
}
