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

#ifndef SHARE_GC_H2_H2OBJECTKINDS_HPP
#define SHARE_GC_H2_H2OBJECTKINDS_HPP

#include "gc/h2/h2ApartRule.hpp"
#include "oops/oopsHierarchy.hpp"

class InstanceKlass;
class Klass;

// Tells the kinds of objects by their classes, which it remembers. So it lives no longer than any of
// them does: for one GC. One thread at a time.
class H2ObjectKinds {
  struct Known {
    const Klass* _klass;
    bool         _is_link;
  };

  static const uint   NumKnown = 256;  // a power of two
  static const size_t LeafBytes = 128;

  Known _known[NumKnown];

  bool is_link(const InstanceKlass* klass);

 public:
  H2ObjectKinds();

  H2ObjectKind kind_of(const Klass* klass, size_t words);
};

#endif // SHARE_GC_H2_H2OBJECTKINDS_HPP
