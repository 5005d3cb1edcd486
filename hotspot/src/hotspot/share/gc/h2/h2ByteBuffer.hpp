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

#ifndef SHARE_GC_H2_H2BYTEBUFFER_HPP
#define SHARE_GC_H2_H2BYTEBUFFER_HPP

#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"

// A row of bytes that grows.
class H2ByteBuffer {
  uint8_t* _data;
  size_t   _length;
  size_t   _capacity;

  NONCOPYABLE(H2ByteBuffer);
  void grow(size_t least);
  bool try_grow(size_t least);

 public:
  H2ByteBuffer() : _data(nullptr), _length(0), _capacity(0) {}
  ~H2ByteBuffer() { FREE_C_HEAP_ARRAY(uint8_t, _data); }

  uint8_t* room(size_t bytes) {
    if (_capacity - _length < bytes) {
      grow(_length + bytes);
    }
    return _data + _length;
  }
  // Null if there is no memory. H2Stress finds none now and then.
  uint8_t* try_room(size_t bytes) {
    return _capacity - _length >= bytes || try_grow(_length + bytes) ? _data + _length : nullptr;
  }
  void set_end(uint8_t* end)  { _length = pointer_delta(end, _data, 1); }
  void clear()                { _length = 0; }
  uint8_t* data()             { return _data; }
  const uint8_t* data() const { return _data; }
  size_t length() const       { return _length; }

  void append(const void* bytes, size_t length) {
    if (length > 0) {
      memcpy(room(length), bytes, length);
      _length += length;
    }
  }
};

#endif // SHARE_GC_H2_H2BYTEBUFFER_HPP
