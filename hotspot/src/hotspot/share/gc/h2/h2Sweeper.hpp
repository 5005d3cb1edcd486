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

#ifndef SHARE_GC_H2_H2SWEEPER_HPP
#define SHARE_GC_H2_H2SWEEPER_HPP

#include "gc/h2/h2ObjectBits.hpp"
#include "gc/h2/h2RegionClaimer.hpp"
#include "gc/h2/h2SweepResult.hpp"
#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"

class H2Region;

// Cleans regions that live of what is dead in them, once marking has followed all
// objects of H2 (see H2Liveness). Objects stay where they are:
//
//   gap      what is dead between two live objects becomes one gap in the unit's shape, and
//            later a filler. Nothing may be seen of dead objects that refer to others,
//            or have a class that may be unloaded: those are gone from now on
//   discard  whole units of gaps are given back, in all tiers
//   split    regions of a run that hold nothing else are freed, and what lies on either
//            side becomes a run of its own. Marking has noted dependencies by run, so
//            parts depend on each other, and what depended on the run depends on all of
//            them, until the next look knows better. Runs are what dependencies are kept
//            for, so small gaps do not split them
class H2Sweeper : public StackObj {
  const H2ObjectBits& _reached;
  H2RegionClaimer     _claimer;
  uint* const         _split_end;   // by region: where the run ended that it was the head of; 0 if it is whole
  H2SweepResult       _result;
  size_t              _live_bytes;

  friend class H2SweepTask;

  void free_dead_parts();
  void free_dead_part(H2SweepResult::Part part);
  template <typename Function>
  void each_part(uint old_head, Function f) const;
  bool is_affected(const H2Region* region) const;
  void renew_dependencies(H2Region* region);
  void count_dead(H2Region* region);

 public:
  H2Sweeper(const H2ObjectBits& reached, bool may_split);
  ~H2Sweeper();

  void sweep();

  // Objects that live, or return, have so many bytes.
  size_t live_bytes() const    { return _live_bytes; }
  // The sweep gave back so many bytes of regions that it did not free.
  size_t cleaned_bytes() const { return _result.cleaned_bytes(); }
};

#endif // SHARE_GC_H2_H2SWEEPER_HPP
