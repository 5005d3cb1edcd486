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

#ifndef SHARE_GC_H2_H2COLLECTORS_INLINE_HPP
#define SHARE_GC_H2_H2COLLECTORS_INLINE_HPP

#include "gc/h2/h2Collectors.hpp"

// With h2Collectors.cpp, the place that chooses.
#include "gc/h2/parallel/h2Parallel.inline.hpp"

inline bool H2Collectors::is_young(oop obj)                                { return H2Parallel::is_young(obj); }
inline bool H2Collectors::is_discovering()                                 { return H2Parallel::is_discovering(); }
inline bool H2Collectors::is_marked(oop obj)                               { return H2Parallel::is_marked(obj); }
inline bool H2Collectors::unmark(oop obj)                                  { return H2Parallel::unmark(obj); }
inline void H2Collectors::mark_again(oop obj)                              { H2Parallel::mark_again(obj); }
inline void H2Collectors::take_words(HeapWord* p, size_t words, H2TakenWords* taken) {
  H2Parallel::take_words(p, words, taken);
}
inline void H2Collectors::settle_words(H2TakenWords* taken)                         { H2Parallel::settle_words(taken); }
inline HeapWord* H2Collectors::first_marked(HeapWord* from, HeapWord* to)  { return H2Parallel::first_marked(from, to); }
inline HeapWord* H2Collectors::last_marked(HeapWord* from, HeapWord* p)    { return H2Parallel::last_marked(from, p); }
inline void H2Collectors::record_old_object(HeapWord* from, HeapWord* to)  { H2Parallel::record_old_object(from, to); }

#endif // SHARE_GC_H2_H2COLLECTORS_INLINE_HPP
