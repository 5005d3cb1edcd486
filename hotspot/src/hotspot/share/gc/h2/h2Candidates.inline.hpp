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

#ifndef SHARE_GC_H2_H2CANDIDATES_INLINE_HPP
#define SHARE_GC_H2_H2CANDIDATES_INLINE_HPP

#include "gc/h2/h2Candidates.hpp"
#include "gc/h2/h2Collectors.inline.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/shared/fullGCForwarding.inline.hpp"
#include "oops/oop.inline.hpp"

inline bool H2Candidates::contains(oop obj) { return !H2Collectors::is_marked(obj); }
inline bool H2Candidates::claim(oop obj)    { return H2Collectors::unmark(obj); }

inline void H2Candidates::release(oop obj, markWord mark) {
  obj->set_mark(mark);
  H2Collectors::mark_again(obj);
}

// Any word of H2 serves as a cookie: nothing follows it before it is replaced.
inline void H2Candidates::set_label(oop obj, uint label_index, bool is_preserved) {
  HeapWord* const cookie = H2Heap::start() + ((size_t)label_index << 1) + (is_preserved ? 1 : 0);
  assert(H2Heap::contains(cookie), "more labels than H2 has words");
  FullGCForwarding::forward_to(obj, cast_to_oop(cookie));
}

inline size_t H2Candidates::cookie(oop obj) {
  return pointer_delta(cast_from_oop<HeapWord*>(FullGCForwarding::forwardee(obj)), H2Heap::start());
}

inline uint H2Candidates::label_index(oop obj) { return checked_cast<uint>(cookie(obj) >> 1); }
inline bool H2Candidates::is_preserved(oop obj) { return (cookie(obj) & 1) != 0; }

#endif // SHARE_GC_H2_H2CANDIDATES_INLINE_HPP
