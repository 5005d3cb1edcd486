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

#ifndef SHARE_GC_H2_H2HEAP_HPP
#define SHARE_GC_H2_H2HEAP_HPP

#include "gc/h2/h2Fence.hpp"
#include "memory/allStatic.hpp"
#include "memory/memRegion.hpp"
#include "oops/oopsHierarchy.hpp"

class CardTable;
class H2Backend;
class H2Collector;
class H2ObjectStarts;
class H2RegionTable;
class ReservedSpace;
class ReservedHeapSpace;

// The second heap as a whole: its address range and the parts it is made of.
//
// The heap reservation is [ H2 | old | young ]. H2 is lowest, so "is it young?"
// stays the one compare it is in the stock VM. H2Fence has its bounds.
//
// The range and the parts are set up once, before any Java thread runs. The
// contents of H2 change only at a safepoint, except that mutators read and
// write the fields of objects like those of any other object.
class H2Heap : AllStatic {
  static MemRegion       _h1;
  static H2Collector*    _collector;
  static H2RegionTable*  _regions;
  static H2ObjectStarts* _starts;
  static CardTable*      _cards;
  static H2Backend*      _backend;

  friend class H2Setup;

 public:
  // Cuts H2 off the low end of the heap reservation and returns what is left
  // for the ordinary heap (all of it when H2 is off).
  static ReservedSpace carve(const ReservedHeapSpace& heap);

  // The part of the reservation that the collector compacts.
  static MemRegion h1()                  { return _h1; }

  static bool is_enabled()               { return H2Fence::_end != nullptr; }
  static bool contains(const void* p)    { return H2Fence::contains(p); }
  // Cheaper than the above, for values known to be heap references.
  static bool contains(oop obj)          { return H2Fence::contains(obj); }
  // Is p inside an allocated part of H2?
  static bool is_in(const void* p);

  static HeapWord* start()               { return H2Fence::_start; }
  static MemRegion range()               { return MemRegion(H2Fence::_start, H2Fence::_end); }
  static size_t capacity()               { return range().byte_size(); }
  static size_t used();

  static H2Collector* collector()        { return _collector; }
  static H2RegionTable* regions()        { return _regions; }
  static H2ObjectStarts* starts()        { return _starts; }
  static CardTable* cards()              { return _cards; }
  static H2Backend* backend()            { return _backend; }
};

#endif // SHARE_GC_H2_H2HEAP_HPP
