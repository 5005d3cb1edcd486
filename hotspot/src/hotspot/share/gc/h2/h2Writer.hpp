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

#ifndef SHARE_GC_H2_H2WRITER_HPP
#define SHARE_GC_H2_H2WRITER_HPP

#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2ShapeMaker.hpp"
#include "memory/allocation.hpp"
#include "memory/memRegion.hpp"
#include "oops/markWord.hpp"
#include "oops/oopsHierarchy.hpp"

class ClassLoaderData;

// The things that one worker has told the region table lately, so that it need not ask for
// the region's lock for every reference.
class H2WriterMemory {
  static const uint Length = 64;

  uint64_t         _dependencies[Length];
  uint             _loader_region;
  ClassLoaderData* _loader;

 public:
  H2WriterMemory();
  void add_dependency(uint from, uint to);
  void add_loader(uint region, ClassLoaderData* cld);
};

// Writes a row of objects to H2: takes staging buffers, copies, fixes references,
// records dependencies, class loaders and cards, makes the shapes of blocks, and submits full
// buffers. One thread at a time.
class H2Writer : public StackObj {
  H2WriterMemory* const _memory;
  char*     _buffer;      // null: none held
  size_t    _capacity;    // bytes
  HeapWord* _start;       // H2 address of the buffer's first byte
  HeapWord* _pos;         // H2 address of the next word to write
  size_t    _buffers;     // taken so far
  H2ShapeMaker _shapes;

  HeapWord* cursor() const    { return (HeapWord*)_buffer + pointer_delta(_pos, _start); }
  size_t    room() const      { return (_capacity >> LogHeapWordSize) - pointer_delta(_pos, _start); }
  void open(HeapWord* at);
  void submit();
  void append(const HeapWord* from, size_t words);
  void append_filler(size_t words);
  void fill_grain();
  void clear(size_t words);
  void clear_to_unit_end();
  bool go_on_at(HeapWord* dest);

  void write_instance(oop obj, size_t words, markWord mark);
  void write_array(oop obj, size_t words, markWord mark);

 public:
  explicit H2Writer(H2WriterMemory* memory);
  ~H2Writer();

  // Writes the copy of a candidate, with that header, to where it is forwarded. When that is not where the
  // last one ended, or soon after it with nothing between, finishes first.
  void write(oop obj, size_t words, markWord mark);
  size_t buffers() const { return _buffers; }
  // Fills up the grain and submits what is left.
  void finish();

  // Makes a hole between objects parsable.
  static void write_filler(MemRegion hole);
};

#endif // SHARE_GC_H2_H2WRITER_HPP
