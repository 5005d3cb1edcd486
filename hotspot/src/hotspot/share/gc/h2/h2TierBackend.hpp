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

#ifndef SHARE_GC_H2_H2TIERBACKEND_HPP
#define SHARE_GC_H2_H2TIERBACKEND_HPP

#include "gc/h2/h2Backend.hpp"

struct zt_range;

// The engine: a bounded set of resident pages over a pool of compressed ones.
// libztera.so is loaded from the JDK's lib directory; its threads are its own,
// are unknown to the VM, and go on at a safepoint.
class H2TierBackend : public H2Backend {
  char* const     _base;
  zt_range* const _range;
  const size_t    _unit_bytes;
  bool            _serves_callers;

  H2TierBackend(char* base, zt_range* range, size_t unit_bytes, bool serves_callers) :
    _base(base), _range(range), _unit_bytes(unit_bytes), _serves_callers(serves_callers) {}

 public:
  // Null when userfaultfd is not to be had and H2Path names another way; exits
  // the VM with a message when there is no other way.
  static H2Backend* open(char* base, size_t bytes);

  const char* name() const override       { return "tier"; }
  size_t unit_bytes() const override      { return _unit_bytes; }
  char* acquire(size_t offset, size_t* capacity) override;
  void submit(char* buffer, size_t offset, size_t bytes) override;
  bool serves_callers() const override    { return _serves_callers; }
  bool serve_fault(void* address, bool write) override;
  bool use_handlers() override;
  bool pin(size_t offset, size_t bytes) override;
  bool unpin(size_t offset) override;
  void unpin_all() override;
  bool patch(size_t offset, const H2Patch* patches, size_t count) override;
  void discard(size_t offset, size_t bytes) override;
  int write_back(size_t offset, size_t bytes, bool idle_only, size_t* moved) override;
  size_t capacity(uint cost) const override;
  size_t sample(const char* data, size_t bytes) const override;
  bool census(size_t offset, size_t bytes, H2Census* sum) const override;
  size_t pack(const void* from, size_t bytes, void* to, size_t room) const override;
  void unpack(const void* from, size_t packed, void* to, size_t bytes) const override;
  void epoch() override;
  void note_decisions() override;
  void set_dram_limit(size_t bytes) override;
  bool make_room(size_t bytes) override;
  void end_room(size_t bytes) override;
  void expect_child() override;
  bool stats(H2EngineStats* out) const override;
  void print_faults_json(outputStream* st) const override;
  void print_on(outputStream* st) const override;
  void last_loss(char* text, size_t cap) const override;
};

#endif // SHARE_GC_H2_H2TIERBACKEND_HPP
