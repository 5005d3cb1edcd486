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

#ifndef SHARE_GC_H2_H2FILEBACKEND_HPP
#define SHARE_GC_H2_H2FILEBACKEND_HPP

#include "gc/h2/h2Backend.hpp"

// The baseline of the seeds: one unlinked file in H2Path, mapped over
// the range. The kernel's page cache decides what is in DRAM. The directory may
// lie on an SSD or on a mounted zram device. Bytes are what the file system
// gives: nothing verifies them.
class H2FileBackend : public H2Backend {
  char* const  _base;
  const size_t _bytes;
  const int    _fd;
  volatile bool _is_allocated;  // the file system has blocks for all of it

  H2FileBackend(char* base, size_t bytes, int fd, bool is_allocated) :
    _base(base), _bytes(bytes), _fd(fd), _is_allocated(is_allocated) {}

 public:
  // Whether nothing is asked for that only the engine can do.
  static bool is_allowed();
  static H2Backend* open(char* base, size_t bytes);

  const char* name() const override { return "file"; }
  size_t unit_bytes() const override;
  char* acquire(size_t offset, size_t* capacity) override;
  void submit(char* buffer, size_t offset, size_t bytes) override {}
  void discard(size_t offset, size_t bytes) override;
  size_t capacity(uint cost) const override;
  void last_loss(char* text, size_t cap) const override;
};

#endif // SHARE_GC_H2_H2FILEBACKEND_HPP
