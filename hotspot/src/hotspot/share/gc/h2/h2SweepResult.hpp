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

#ifndef SHARE_GC_H2_H2SWEEPRESULT_HPP
#define SHARE_GC_H2_H2SWEEPRESULT_HPP

#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

class H2Region;

// The findings of the workers of a sweep (see H2Sweeper): how much lives, and which regions of a run can be freed.
class H2SweepResult : public StackObj {
 public:
  // Regions of one run.
  struct Part {
    uint _first;
    uint _end;
  };

 private:
  const bool                     _may_split;
  const uint                     _least_gap;    // of regions, that splits a run
  size_t* const                  _live_words;   // by region in which objects begin
  GrowableArrayCHeap<Part, mtGC> _dead_parts;
  volatile size_t                _cleaned_bytes;

 public:
  explicit H2SweepResult(bool may_split);
  ~H2SweepResult();

  // By any worker.
  bool may_split() const { return _may_split; }
  void add_live(H2Region* region, HeapWord* p, size_t words);
  void add_cleaned(size_t bytes);
  // Whether these regions of a run, which hold nothing that lives, are freed.
  bool add_dead_part(const H2Region* region, uint first, uint end);

  // When the workers are done.
  size_t live_words(uint region) const         { return _live_words[region]; }
  GrowableArrayCHeap<Part, mtGC>* dead_parts() { return &_dead_parts; }
  // Workers gave back so many bytes of regions that nobody frees.
  size_t cleaned_bytes() const                 { return _cleaned_bytes; }
};

#endif // SHARE_GC_H2_H2SWEEPRESULT_HPP
