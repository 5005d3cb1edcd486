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

#ifndef SHARE_GC_H2_H2REACHED_INLINE_HPP
#define SHARE_GC_H2_H2REACHED_INLINE_HPP

#include "gc/h2/h2Reached.hpp"

#include "gc/h2/h2ObjectBits.inline.hpp"

inline bool H2Reached::contains(oop obj)  { return _bits.contains(obj); }
inline bool H2Reached::add(oop obj)       { return _bits.par_set(obj); }
inline bool H2Reached::any(MemRegion part) { return _bits.any(part); }

template <typename Function>
inline void H2Reached::each(MemRegion part, Function f) {
  _bits.iterate(part, f);
}

#endif // SHARE_GC_H2_H2REACHED_INLINE_HPP
