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
#include "gc/h2/h2Imports.hpp"
#include "gc/h2/h2Signals.hpp"
#include "logging/log.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/javaThread.hpp"

#include <signal.h>

#if defined(LINUX) && defined(AMD64)

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

typedef void (*Handler)(int);

// With it, handlers are chained already, and what sigaction tells is not what is installed.
static bool has_libjsig = false;
// The VM's handler.
static void* our_handler = nullptr;
static unsigned long long loaded_at_look = 0;
static bool has_warned = false;

// The handlers that native code has installed, as far as it knows. Any thread may come, also one that the VM does not know.
static pthread_mutex_t theirs_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction theirs;
static bool has_theirs = false;

bool H2Signals::is_needed() {
  return H2Heap::is_enabled() && H2Heap::backend() != nullptr && H2Heap::backend()->serves_callers();
}

// The functions in place of those of the C library. They are called by native code, and know nothing of the VM.
class H2SignalCalls : AllStatic {
 public:
  static bool keeps(int sig);
  static int sigaction(int sig, const struct sigaction* act, struct sigaction* old);
  static Handler signal(int sig, Handler handler);
  static Handler signal_once(int sig, Handler handler);
  static int sigprocmask(int how, const sigset_t* set, sigset_t* old);
  static int pthread_sigmask(int how, const sigset_t* set, sigset_t* old);

 private:
  static Handler install(int sig, Handler handler, int flags);
};

static H2Imports::Function functions[] = {
  { "sigaction",       (void*)&H2SignalCalls::sigaction,       nullptr },
  { "signal",          (void*)&H2SignalCalls::signal,          nullptr },
  { "__sysv_signal",   (void*)&H2SignalCalls::signal_once,     nullptr },
  { "sigprocmask",     (void*)&H2SignalCalls::sigprocmask,     nullptr },
  { "pthread_sigmask", (void*)&H2SignalCalls::pthread_sigmask, nullptr },
};

// Once a handler was kept here, it is not installed later either: it would not know what was before it.
bool H2SignalCalls::keeps(int sig) {
  return sig == SIGBUS && !has_libjsig && (has_theirs || H2Signals::is_needed());
}

int H2SignalCalls::sigaction(int sig, const struct sigaction* act, struct sigaction* old) {
  if (!keeps(sig)) {
    return ::sigaction(sig, act, old);
  }
  pthread_mutex_lock(&theirs_lock);
  const struct sigaction before = theirs;
  if (act != nullptr) {
    theirs = *act;
    has_theirs = true;
  }
  if (old != nullptr) {
    *old = before;
  }
  pthread_mutex_unlock(&theirs_lock);
  return 0;
}

Handler H2SignalCalls::install(int sig, Handler handler, int flags) {
  struct sigaction act = {};
  struct sigaction old = {};
  act.sa_handler = handler;
  act.sa_flags = flags;
  sigemptyset(&act.sa_mask);
  return sigaction(sig, &act, &old) == 0 ? old.sa_handler : SIG_ERR;
}

Handler H2SignalCalls::signal(int sig, Handler handler) {
  return keeps(sig) ? install(sig, handler, SA_RESTART) : ::signal(sig, handler);
}

// The signal of System V, which strict C has: the handler is called once.
Handler H2SignalCalls::signal_once(int sig, Handler handler) {
  return install(sig, handler, SA_RESETHAND | SA_NODEFER);
}

// A set for sigprocmask without SIGBUS.
class H2Unblocked : StackObj {
  sigset_t              _without;
  const sigset_t* const _set;

 public:
  H2Unblocked(int how, const sigset_t* set) :
    _set(set != nullptr && how != SIG_UNBLOCK && sigismember(set, SIGBUS) == 1 && H2Signals::is_needed() ? &_without : set) {
    if (_set == &_without) {
      _without = *set;
      sigdelset(&_without, SIGBUS);
    }
  }

  const sigset_t* set() const { return _set; }
};

int H2SignalCalls::sigprocmask(int how, const sigset_t* set, sigset_t* old) {
  return ::sigprocmask(how, H2Unblocked(how, set).set(), old);
}

int H2SignalCalls::pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
  return ::pthread_sigmask(how, H2Unblocked(how, set).set(), old);
}

void* H2Signals::function(const char* name, void* found) {
  for (const H2Imports::Function& function : functions) {
    if (function.is(name, found)) {
      return function._ours;
    }
  }
  return found;
}

struct sigaction* H2Signals::chained(int sig, struct sigaction* before) {
  return sig == SIGBUS && has_theirs ? &theirs : before;
}

static void* installed_handler() {
  struct sigaction now;
  return ::sigaction(SIGBUS, nullptr, &now) == 0 ? (void*)now.sa_sigaction : nullptr;
}

bool H2Signals::is_taken() {
  return !has_libjsig && installed_handler() != our_handler;
}

void H2Signals::replace_imports() {
  loaded_at_look = H2Imports::loaded();
  H2Imports::replace(functions, ARRAY_SIZE(functions));
}

void H2Signals::initialize() {
  if (!is_needed()) {
    return;
  }
  has_libjsig = dlsym(RTLD_DEFAULT, "JVM_begin_signal_setting") != nullptr;
  our_handler = installed_handler();
  for (H2Imports::Function& function : functions) {
    function._real = dlsym(RTLD_DEFAULT, function._name);
  }
  replace_imports();
}

void H2Signals::use_handlers() {
  if (is_needed() && is_taken() && !has_warned) {
    has_warned = true;
    log_warning(gc, h2)("Native code has taken SIGBUS, by which threads serve faults of H2: threads of the engine serve them instead, "
                        "more slowly. To keep the signal, preload libjsig.so; to be safe from the start, use -XX:H2FaultMode=handler");
    H2Faults::use_handlers();
  }
}

void H2Signals::library_loaded() {
  if (!is_needed()) {
    return;
  }
  replace_imports();
  // Its initialisation may have blocked the signal already, or taken it.
  sigset_t bus;
  sigemptyset(&bus);
  sigaddset(&bus, SIGBUS);
  ::pthread_sigmask(SIG_UNBLOCK, &bus, nullptr);
  Thread* const thread = Thread::current_or_null();
  if (is_taken() && thread != nullptr && thread->is_Java_thread() &&
      JavaThread::cast(thread)->thread_state() == _thread_in_native) {
    ThreadInVMfromNative in_vm(JavaThread::cast(thread));
    use_handlers();
  }
}

void H2Signals::look() {
  if (is_needed()) {
    if (H2Imports::loaded() != loaded_at_look) {
      replace_imports();
    }
    use_handlers();
  }
}

#else

bool H2Signals::is_needed()                                                   { return false; }
void H2Signals::initialize()                                                  {}
void H2Signals::library_loaded()                                              {}
void H2Signals::look()                                                        {}
void* H2Signals::function(const char* name, void* found)                      { return found; }
struct sigaction* H2Signals::chained(int sig, struct sigaction* before)       { return before; }

#endif
