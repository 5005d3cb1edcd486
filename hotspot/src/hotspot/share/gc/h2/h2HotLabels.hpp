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

#ifndef SHARE_GC_H2_H2HOTLABELS_HPP
#define SHARE_GC_H2_H2HOTLABELS_HPP

#include "gc/h2/h2Labels.hpp"
#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

struct H2LabelUse;

// Finds the label that is written to so much that it had better be in H1 (see H2HotRule). While nothing that was written has to
// leave memory, there is none. A label that the program asks for is none either.
class H2HotLabels : AllStatic {
  typedef H2LabelMap<size_t> Bytes;

  static Bytes* _rewritten;   // of each label, until the last full GC

  static size_t rewritten_since_full_gc(const H2LabelUse& use);
  static bool is_hot(const H2LabelUse& use, size_t rewritten);

 public:
  // The hottest label that is hot; false if none is. Once in each full GC.
  static bool find(jlong* label);
};

#endif // SHARE_GC_H2_H2HOTLABELS_HPP
