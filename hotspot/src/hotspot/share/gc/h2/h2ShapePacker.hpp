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

#ifndef SHARE_GC_H2_H2SHAPEPACKER_HPP
#define SHARE_GC_H2_H2SHAPEPACKER_HPP

#include "gc/h2/h2ByteBuffer.hpp"
#include "gc/h2/h2ShapeTable.hpp"
#include "utilities/globalDefinitions.hpp"

// Joins shapes of one chunk that become known one after the other, and compresses them. By one thread.
class H2ShapePacker {
  struct Entry {
    size_t  _block;
    size_t  _offset;   // of its length in the bytes
    uint8_t _flags;
  };

  H2ByteBuffer _bytes;    // shapes, each behind its length
  H2ByteBuffer _packed;
  Entry        _entries[H2ShapeChunk::Blocks];
  uint         _count;

  bool has_room(size_t block, size_t length) const;
  bool append(size_t block, const uint8_t* bytes, size_t length, uint8_t flags);
  bool install_packed();
  void install_plain(const Entry& entry);
  void clear();
  static bool is_worth_a_repack(size_t first);
  void repack(size_t first);

  friend class H2RepackTask;

 public:
  H2ShapePacker() : _bytes(), _packed(), _entries(), _count(0) {}

  // Takes a shape with its flags (see H2Shapes), which the block has none of until then. Where shapes have no room, it fills
  // gaps, in the bytes, too.
  void add(size_t block, uint8_t* bytes, size_t length, uint8_t flags);
  // Installs what was added.
  void flush();

  // After a look: makes batches anew that many blocks have left, or which are many, and packs single shapes.
  static void repack_all();
};

#endif // SHARE_GC_H2_H2SHAPEPACKER_HPP
