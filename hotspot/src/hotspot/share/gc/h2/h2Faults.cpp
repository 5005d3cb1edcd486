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
#include "gc/h2/h2Faults.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Refaults.hpp"
#include "logging/log.hpp"
#include "memory/allocation.inline.hpp"
#include "oops/typeArrayOop.inline.hpp"
#include "runtime/os.hpp"
#include "runtime/safepoint.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"

#include <signal.h>
#include <ucontext.h>

static bool is_bus_error(int sig, const siginfo_t* info) {
  return sig == SIGBUS && info != nullptr && H2Heap::is_enabled() && H2Heap::contains(info->si_addr);
}

bool H2Faults::is_lost(int sig, const void* siginfo) {
  return is_bus_error(sig, (const siginfo_t*)siginfo);
}

const char* H2Faults::loss(int sig, const void* siginfo) {
  static char text[512] = "";
  if (is_lost(sig, siginfo)) {
    H2Heap::backend()->last_loss(text, sizeof(text));
  }
  return text;
}

#if defined(LINUX) && defined(AMD64)

bool H2Faults::can_serve_callers() {
  return true;
}

// Bit 1 of the page fault's error code (Intel SDM, volume 3, "Interrupt 14").
static bool was_write(const ucontext_t* uc) {
  return (uc->uc_mcontext.gregs[REG_ERR] & 2) != 0;
}

bool H2Faults::serve(int sig, const void* siginfo, const void* ucontext) {
  const siginfo_t* const info = (const siginfo_t*)siginfo;
  // With another code the page is poisoned: its contents are lost.
  if (!is_bus_error(sig, info) || info->si_code != BUS_ADRERR) {
    return false;
  }
  const bool is_write = was_write((const ucontext_t*)ucontext);
  const jlong start = os::javaTimeNanos();
  const bool is_served = H2Heap::backend()->serve_fault(info->si_addr, is_write);
  // A page that is there already has such a fault, too, when it is written to.
  if (is_served && !is_write) {
    H2Refaults::note(info->si_addr, os::javaTimeNanos() - start);
  }
  return is_served;
}

// At a safepoint, as nobody may use H2 meanwhile. (JNI's getters of fields do read it
// then, and throw away what they read. Critical sections use what is pinned, which stays as it is.)
//
// Once only: when it failed, native code has got an address all the same, and may be using
// it in a critical section, which a safepoint does not end.
class VM_H2UseHandlers : public VM_Operation {
  static bool _has_failed;

 public:
  static bool can_help() { return H2Heap::backend()->serves_callers() && !_has_failed; }

  // The nearest that the VM has a name for.
  VMOp_Type type() const override { return VMOp_ForceSafepoint; }
  void doit() override {
    if (!can_help()) {
      return;
    }
    if (H2Heap::backend()->use_handlers()) {
      H2Heap::backend()->unpin_all();
      log_info(gc, h2)("Native code is given addresses of objects, or has taken SIGBUS: threads of the engine serve faults from now on "
                       "(H2FaultMode=handler)");
    } else {
      _has_failed = true;
      log_warning(gc, h2)("No threads to serve faults: system calls that are given an array in H2 may fail with EFAULT");
    }
  }
};

bool VM_H2UseHandlers::_has_failed = false;

void H2Faults::use_handlers() {
  if (!H2Heap::is_enabled() || !VM_H2UseHandlers::can_help()) {
    return;
  }
  VM_H2UseHandlers op;
  if (SafepointSynchronize::is_at_safepoint()) {
    // Another operation is on, which may not have any within.
    assert(Thread::current()->is_VM_thread(), "nobody else may touch H2");
    op.doit();
  } else {
    VMThread::execute(&op);
  }
}

#else

void H2Faults::use_handlers()                                {}
bool H2Faults::can_serve_callers()                           { return false; }
bool H2Faults::serve(int, const void*, const void*)          { return false; }

#endif

void H2Faults::expose(oop array) {
  if (H2Heap::contains(array)) {
    use_handlers();
  }
}

void H2Faults::expose_any(const BasicType* arguments, int count) {
  for (int i = 0; i < count; i++) {
    if (is_reference_type(arguments[i])) {
      use_handlers();
    }
  }
}

H2BytesOutside::H2BytesOutside(typeArrayOop array) : _bytes(array->byte_at_addr(0)), _copy(nullptr) {
  if (H2Heap::contains(_bytes)) {
    _copy = NEW_C_HEAP_ARRAY(jbyte, array->length(), mtGC);
    memcpy(_copy, _bytes, array->length());
    _bytes = _copy;
  }
}

H2BytesOutside::~H2BytesOutside() {
  FREE_C_HEAP_ARRAY(jbyte, _copy);
}
