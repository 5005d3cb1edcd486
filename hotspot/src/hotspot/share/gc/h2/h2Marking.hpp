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

#ifndef SHARE_GC_H2_H2MARKING_HPP
#define SHARE_GC_H2_H2MARKING_HPP

#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"

class H2Crossings;
class H2RegionQueue;

// Liveness of regions in a full GC. Marking stops at the fence and makes the
// region live. A region that becomes live is scanned once by some worker: its
// dependencies become live, its class loaders are kept, and what its backward
// references point to is marked. Where H2Liveness looks, its objects say what lives.
//
// A worker is a class of the collector's, with a marking stack:
//   void push(oop obj)                               the object is to be followed
//   template <typename T> void mark_and_push(T* p)   marks what the field refers to; if that is
//                                                    new, it is to be followed
//   void mark_target(oop obj)                        the same for an object of H1
//   void keep(ClassLoaderData* loader)               the same for what keeps the loader alive
class H2Marking : AllStatic {
  // Regions that became live. From prepare to free_dead_regions.
  static H2RegionQueue* _pending;

  template <typename Worker>
  static void scan(uint index, Worker* worker);
  static void mark_reached_regions();

 public:
  static void prepare();

  // The fence: true if *obj, which p refers to, is in H2, and the caller must not
  // follow it. An object that returns to H1 may be followed there: *p and *obj are changed. While
  // H2Liveness looks, objects of H2 go on the marking stack all the same.
  template <typename T, typename Worker>
  static inline bool fence(T* p, oop* obj, H2Crossings* crossings, Worker* worker);

  static void mark_region(uint head_index);

  // Scans one waiting region and returns true, or returns false if none waits.
  // Each object found goes on the worker's marking stack.
  template <typename Worker>
  static bool scan_pending_region(Worker* worker);

  static bool is_live(oop obj);

  // Frees the regions that were not reached. After weak processing.
  static void free_dead_regions();
};

#endif // SHARE_GC_H2_H2MARKING_HPP
