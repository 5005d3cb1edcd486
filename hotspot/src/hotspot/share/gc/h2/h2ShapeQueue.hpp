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

#ifndef SHARE_GC_H2_H2SHAPEQUEUE_HPP
#define SHARE_GC_H2_H2SHAPEQUEUE_HPP

#include "memory/allocation.hpp"
#include "utilities/bitMap.inline.hpp"
#include "utilities/globalDefinitions.hpp"

// Chunks of H2ShapeTable that have blocks which wait for a visit. They come in the order of their indices, over
// and over. By any worker.
class H2ShapeQueue : public CHeapObj<mtGC> {
  CHeapBitMap     _waiting;
  volatile size_t _next;      // where the next one is looked for

  bool take(size_t from, size_t to, size_t* chunk);

 public:
  explicit H2ShapeQueue(size_t num_chunks) : _waiting(num_chunks, mtGC), _next(0) {}

  // Once the block's state says that it waits: a worker that takes the chunk sees it then.
  void add(size_t chunk) { _waiting.par_set_bit(chunk); }
  // False if none waits. To one caller for each time that it was added.
  bool take(size_t* chunk);
  bool is_empty() const { return _waiting.is_empty(); }
};

#endif // SHARE_GC_H2_H2SHAPEQUEUE_HPP
