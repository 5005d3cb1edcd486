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
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Referents.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/shared/cardTable.hpp"
#include "memory/universe.hpp"
#include "oops/compressedOops.inline.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"

bool            H2Referents::_clears_soft = false;
volatile size_t H2Referents::_in_h2 = 0;
volatile size_t H2Referents::_in_h1 = 0;
volatile bool   H2Referents::_are_any_soft = false;
oop             H2Referents::_cleared = nullptr;

H2ShapeEntry::Referent H2Referents::kind(Klass* klass) {
  if (klass->kind() != Klass::InstanceRefKlassKind) {
    return H2ShapeEntry::NoReferent;
  }
  switch (InstanceKlass::cast(klass)->reference_type()) {
    case REF_WEAK: return H2ShapeEntry::Weak;
    case REF_SOFT: return H2ShapeEntry::Soft;
    default:       return H2ShapeEntry::NoReferent;
  }
}

// Its region may be free by now.
oop H2Referents::referent(oop reference) {
  const void* const p = field(reference);
  if (!UseCompressedOops) {
    return cast_to_oop(*(const uintptr_t*)p);
  }
  const narrowOop value = *(const narrowOop*)p;
  return CompressedOops::is_null(value) ? (oop)nullptr : CompressedOops::decode_raw(value);
}

void* H2Referents::field(oop reference) {
  return java_lang_ref_Reference::referent_addr_raw(reference);
}

void H2Referents::note_move(H2ShapeEntry::Referent kind, bool is_referent_in_h2) {
  Atomic::inc(is_referent_in_h2 ? &_in_h2 : &_in_h1, memory_order_relaxed);
  if (kind == H2ShapeEntry::Soft && !_are_any_soft) {
    _are_any_soft = true;
  }
}

bool H2Referents::are_looked_at(size_t block) {
  return H2Shapes::has_referents(block) || H2Shapes::is_missing(block);
}

void H2Referents::found(size_t in_h2, size_t in_h1, bool is_exact) {
  _in_h2 = in_h2;
  _in_h1 = is_exact ? in_h1 : MAX2(in_h1, (size_t)_in_h1);
  _are_any_soft = _are_any_soft && H2Heap::regions()->in_use() > 0;
}

void H2Referents::add_cleared(oop first, oop last) {
  java_lang_ref_Reference::set_discovered_raw(last, _cleared);
  _cleared = first;
}

// Shapes of those that were cleared have the referents still, and a sweep may just have made them.
void H2Referents::full_finished() {
  _clears_soft = false;
  const oop first = _cleared;
  if (first == nullptr) {
    return;
  }
  oop last = nullptr;
  for (oop reference = first; reference != nullptr; reference = java_lang_ref_Reference::discovered(reference)) {
    *H2Heap::cards()->byte_for(cast_from_oop<void*>(reference)) = CardTable::dirty_card_val();
    H2Shapes::note_stale(cast_from_oop<void*>(reference));
    last = reference;
  }
  java_lang_ref_Reference::set_discovered_raw(last, Universe::swap_reference_pending_list(first));
  _cleared = nullptr;
}
