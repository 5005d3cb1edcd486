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

#ifndef SHARE_GC_H2_H2SHAPEMAKER_HPP
#define SHARE_GC_H2_H2SHAPEMAKER_HPP

#include "gc/h2/h2ByteBuffer.hpp"
#include "gc/h2/h2ShapeCode.hpp"
#include "gc/h2/h2ShapePacker.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "memory/allocation.hpp"
#include "utilities/growableArray.hpp"

class ClassLoaderData;

// Makes the shapes of blocks from what lies in them, told in the order of addresses. One thread at a time.
class H2ShapeMaker : public StackObj {
 public:
  enum Kind : uint8_t { Leaf, Instance, ReferenceArray };

 private:
  static const size_t NoBlock = SIZE_MAX;

  H2ShapeWriter<H2ByteBuffer> _writer;
  H2ByteBuffer         _shape;
  H2ShapePacker        _packer;
  size_t               _block;
  HeapWord*            _end;        // of the block
  bool                 _has_first;  // entry
  bool                 _failed;     // it cannot have a shape
  bool                 _has_referents;

  // The object whose references are told.
  enum State : uint8_t { None, Begun, Carried };
  GrowableArrayCHeap<uint64_t, mtGC> _references;
  State                _state;
  bool                 _spans;
  size_t               _words;
  H2ShapeEntry::Referent _referent;
  ClassLoaderData*     _loader;

  // Those that are never unloaded, beside the boot loader's.
  static ClassLoaderData* _platform;
  static ClassLoaderData* _system;

  static bool is_named(const ClassLoaderData* loader);
  void open(size_t block);
  void enter(HeapWord* p);
  void close_object();
  uint8_t flags() const;
  void flush();

 public:
  // At the start of a full GC: loaders cannot be asked while they move.
  static void prepare();

  H2ShapeMaker();
  ~H2ShapeMaker() { assert(_block == NoBlock, "finish first"); }

  // An object begins at p. Its references follow.
  void begin(HeapWord* p, size_t words, Kind kind, ClassLoaderData* loader);
  void add(HeapWord* target) { _references.append(H2Shapes::word(target)); }
  bool has_references() const { return _references.is_nonempty(); }
  // The object is a Reference, wherever its referent is.
  void note_reference() { _has_referents = true; }
  // The one reference that was added so far is to its referent.
  void set_referent(H2ShapeEntry::Referent kind) { _referent = kind; }
  // In an array: what follows are references from elements at p on, in a block that may be another.
  void go_on(HeapWord* p) {
    if (p >= _end) {
      carry(p);
    }
  }
  // The block at p begins with elements of an array that began before. Their references follow.
  void carry(HeapWord* p);
  void filler(HeapWord* p, size_t words);
  void gap(HeapWord* p, size_t words);

  // Blocks may get their shapes only now.
  void finish();
};

#endif // SHARE_GC_H2_H2SHAPEMAKER_HPP
