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

#ifndef SHARE_GC_H2_PARALLEL_H2OBJECTSTARTS_INLINE_HPP
#define SHARE_GC_H2_PARALLEL_H2OBJECTSTARTS_INLINE_HPP

#include "gc/parallel/objectStartArray.inline.hpp"

// Where objects of H2 start. Serves all of H2 from the beginning; memory for its entries
// is taken as they are written. H2 uses update_for_block, object_start,
// block_start_reaching_into_card and entries.
class H2ObjectStarts : public ObjectStartArray {
 public:
  explicit H2ObjectStarts(MemRegion range) : ObjectStartArray(range) { set_covered_region(range); }
};

#endif // SHARE_GC_H2_PARALLEL_H2OBJECTSTARTS_INLINE_HPP
