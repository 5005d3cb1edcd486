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

#ifndef SHARE_GC_H2_H2HOTOBJECTS_INLINE_HPP
#define SHARE_GC_H2_H2HOTOBJECTS_INLINE_HPP

#include "gc/h2/h2HotObjects.hpp"

// The object's entry, or the free one where it would be.
inline H2HotObjects::Entry* H2HotObjects::find(const HeapWord* from) {
  size_t i = (size_t)((uint64_t)(uintptr_t)from * UINT64_C(0x9E3779B97F4A7C15) >> 24) & _mask;
  while (_map[i]._from != nullptr && _map[i]._from != from) {
    i = (i + 1) & _mask;
  }
  return &_map[i];
}

inline bool H2HotObjects::is_hot(HeapWord* p) {
  return _map != nullptr && find(p)->_from != nullptr;
}

inline oop H2HotObjects::copy_of(oop obj) {
  return _map == nullptr ? nullptr : cast_to_oop(find(cast_from_oop<HeapWord*>(obj))->_to);
}

#endif // SHARE_GC_H2_H2HOTOBJECTS_INLINE_HPP
