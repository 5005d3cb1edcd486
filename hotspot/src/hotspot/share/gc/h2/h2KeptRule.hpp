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

#ifndef SHARE_GC_H2_H2KEPTRULE_HPP
#define SHARE_GC_H2_H2KEPTRULE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>

// The data that H2 has in memory, in bytes.
struct H2KeptSnapshot {
  size_t _resident;
  size_t _least_resident;  // which it keeps
  size_t _staged;
  size_t _not_stored;      // data of which there is no compressed object yet; all of it resident or staged
  size_t _pool;
  size_t _stored;          // the data that the pool holds in _pool bytes
  double _sampled_cost;    // of each byte of what moved last, by a sample; 1 if there was none
};

// Decides what H2 has when it has given back all that it can, but for what an SSD would take: the
// compressed objects, too, of pages that leave and have none yet.
class H2KeptRule {
  // So much is compressed in next to no time.
  static const size_t Soon = 4 * 1024 * 1024;

  // Memory for each byte of pages that leave. The pool tells it if it holds as much data as that. After a move
  // it holds next to nothing of them, so the sample tells.
  static double cost(const H2KeptSnapshot& s, size_t pages) {
    if (s._stored < pages || s._stored == 0) {
      return s._sampled_cost;
    }
    return s._pool < s._stored ? (double)s._pool / (double)s._stored : 1.0;
  }

 public:
  static size_t bytes(const H2KeptSnapshot& s) {
    const size_t least = s._resident > s._least_resident ? s._resident : s._least_resident;
    const size_t leaving = least - s._least_resident + s._staged;
    const size_t pages = leaving < s._not_stored ? leaving : s._not_stored;
    const double kept = cost(s, pages) * (double)pages;
    return s._least_resident + s._pool + (kept < (double)pages ? (size_t)kept : pages);
  }

  // Whether H2 gives back at once what it has more: pages of which the pool holds a copy go without making the pool larger.
  static bool gives_back_at_once(const H2KeptSnapshot& s) {
    return bytes(s) <= s._least_resident + s._pool + Soon;
  }

  // Whether H2 may have more until a full GC, which leaves it so many bytes: if it can be as small as that, or gives back at once.
  // Then that GC lacks no more memory than it would anyway.
  static bool may_borrow(const H2KeptSnapshot& s, size_t left) {
    return bytes(s) <= left || gives_back_at_once(s);
  }
};

#endif // SHARE_GC_H2_H2KEPTRULE_HPP
