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

#ifndef SHARE_GC_H2_H2REGIONFREER_HPP
#define SHARE_GC_H2_H2REGIONFREER_HPP

#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"

class H2Region;
class H2RegionTable;

// Frees runs, and gives the memory of those that lie side by side back by one call.
class H2RegionFreer : public StackObj {
  H2RegionTable* const _regions;
  uint                 _first;   // what is free and not given back yet
  uint                 _end;

  // The memory of free regions, in every tier.
  void give_back(uint first, uint end);

 public:
  explicit H2RegionFreer(H2RegionTable* regions) : _regions(regions), _first(0), _end(0) {}
  ~H2RegionFreer() { finish(); }

  // In ascending order.
  void free(H2Region* head);
  void finish();

  // Frees the regions [first, end) of one run, which may be all of it: what is left on
  // either side are runs.
  void free_part(uint first, uint end);
};

#endif // SHARE_GC_H2_H2REGIONFREER_HPP
