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


#ifndef SHARE_GC_H2_H2WALK_INLINE_HPP
#define SHARE_GC_H2_H2WALK_INLINE_HPP

#include "gc/h2/h2Walk.hpp"

#include "gc/h2/h2Gathered.hpp"
#include "gc/h2/h2Written.inline.hpp"
#include "gc/h2/h2WrittenClasses.hpp"
#include "oops/klass.hpp"

inline bool H2Walk::takes(oop obj, Klass* klass, size_t words) const {
  const bool is_array = klass->is_objArray_klass();
  return _where.contains(cast_from_oop<HeapWord*>(obj)) &&
         (_takes_arrays || !is_array || words < LargeArrayBytes >> LogHeapWordSize) &&
         (_takes_written || !(H2Written::contains(obj, is_array, words) || H2WrittenClasses::contains(klass) ||
                              H2Gathered::contains(cast_from_oop<HeapWord*>(obj))));
}

#endif // SHARE_GC_H2_H2WALK_INLINE_HPP
