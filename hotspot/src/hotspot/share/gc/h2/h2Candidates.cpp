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
#include "gc/h2/h2Candidates.inline.hpp"
#include "gc/h2/h2Referents.hpp"
#include "oops/klass.inline.hpp"
#include "oops/markWord.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/objectMonitor.hpp"
#include "runtime/synchronizer.hpp"

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

bool H2Candidates::is_movable_reference(Klass* klass, markWord mark) {
  return H2Referents::kind(klass) != H2ShapeEntry::NoReferent && !is_locked(mark);
}
