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

#include "classfile/vmClasses.hpp"
#include "gc/h2/h2ObjectKinds.hpp"
#include "oops/fieldStreams.inline.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/symbol.hpp"

H2ObjectKinds::H2ObjectKinds() : _known() {}

// "Lname;" is the signature of the class.
static bool is_signature_of(const Symbol* signature, const InstanceKlass* klass) {
  const Symbol* const name = klass->name();
  return signature->utf8_length() == name->utf8_length() + 2 && signature->char_at(0) == JVM_SIGNATURE_CLASS &&
         memcmp(signature->bytes() + 1, name->bytes(), name->utf8_length()) == 0;
}

// A field of this type may hold an object of the class, other than because it holds any.
static bool is_own_type(const Symbol* signature, const InstanceKlass* klass) {
  for (const InstanceKlass* k = klass; k->java_super() != nullptr; k = k->java_super()) {
    if (is_signature_of(signature, k)) {
      return true;
    }
  }
  const Array<InstanceKlass*>* const interfaces = klass->transitive_interfaces();
  for (int i = 0; i < interfaces->length(); i++) {
    if (is_signature_of(signature, interfaces->at(i))) {
      return true;
    }
  }
  return false;
}

// A node between two others. One that has a single successor, as in the bucket of a map, is seldom
// relinked.
static bool has_two_neighbours(const InstanceKlass* klass) {
  int neighbours = 0;
  // The JDK links References that were cleared, and no others.
  for (const InstanceKlass* k = klass; k != nullptr && k != vmClasses::Reference_klass(); k = k->java_super()) {
    for (JavaFieldStream field(k); !field.done(); field.next()) {
      const AccessFlags flags = field.access_flags();
      if (!flags.is_static() && !flags.is_final() && is_own_type(field.signature(), klass)) {
        neighbours++;
      }
    }
  }
  return neighbours >= 2;
}

bool H2ObjectKinds::is_link(const InstanceKlass* klass) {
  Known* const known = &_known[((uintptr_t)klass >> LogBytesPerWord) % NumKnown];
  if (known->_klass != klass) {
    *known = Known{klass, has_two_neighbours(klass)};
  }
  return known->_is_link;
}

H2ObjectKind H2ObjectKinds::kind_of(const Klass* klass, size_t words) {
  if (klass->is_typeArray_klass()) {
    return words >= LeafBytes >> LogHeapWordSize ? H2ObjectKind::Leaf : H2ObjectKind::Other;
  }
  return klass->is_instance_klass() && is_link(InstanceKlass::cast(klass)) ? H2ObjectKind::Link : H2ObjectKind::Other;
}
