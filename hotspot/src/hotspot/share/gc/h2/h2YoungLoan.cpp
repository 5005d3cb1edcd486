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

#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Forecast.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/h2/h2LoanRule.hpp"
#include "gc/h2/h2YoungLoan.hpp"
#include "logging/log.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"

size_t   H2YoungLoan::_lent = 0;
uint64_t H2YoungLoan::_faults = 0;
int      H2YoungLoan::_looks = 0;

// Gives all that is free of eden back, but for so many bytes, and of the survivor spaces. The type is that of a safepoint without
// a name of its own.
class VM_H2LendYoung : public VM_Operation {
  const size_t _kept;
  size_t       _given;

 public:
  explicit VM_H2LendYoung(size_t kept) : _kept(kept), _given(0) {}

  VMOp_Type type() const override { return VMOp_ForceSafepoint; }
  void doit() override            { _given = H2Heap::collector()->give_back_eden(_kept) + H2Heap::collector()->give_back_survivors(); }

  size_t given() const { return _given; }
};

// A safepoint costs no more than so many faults between two looks.
static const uint64_t Many = 200;

bool H2YoungLoan::misses(const H2EngineStats& engine) {
  const uint64_t before = _faults;
  _faults = engine.fault_count;
  _looks = _faults - before >= Many ? _looks + 1 : 0;
  return _looks > 0;
}

bool H2YoungLoan::look(const H2EngineStats& engine) {
  const H2HeapUse h1 = H2Heap::collector()->use();
  const size_t free = h1._eden_free;
  H2LoanSnapshot snapshot;
  snapshot._capacity = h1._eden_capacity;
  snapshot._free = H2Forecast::is_gc_far() ? free : 0;
  snapshot._needed = H2Forecast::needed_eden();
  snapshot._survivors = H2Forecast::is_gc_far() ? H2Heap::collector()->idle_survivor_bytes() : 0;
  snapshot._lent = _lent;
  snapshot._limit = H2Limits::memory_limit();
  snapshot._misses = misses(engine);
  snapshot._looks = _looks;
  const size_t loan = H2LoanRule::bytes(snapshot);
  if (loan <= _lent) {
    _lent = loan;
    return H2LoanRule::wants_gc(snapshot);
  }
  VM_H2LendYoung op(free - (loan - snapshot._survivors));
  VMThread::execute(&op);
  _lent = MIN2(op.given(), loan);
  log_debug(gc, h2)("Memory: %zuM of the young generation are H2's until threads allocate more", _lent / M);
  return false;
}
