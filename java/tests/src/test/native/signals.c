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

// Native code that wants SIGBUS for itself, or blocks it, and knows nothing of H2: the library of
// org.ztera.jvmtests.child.ForeignSignals. With TAKES_AT_ONCE the library does so while it is loaded.

#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile int is_mine;

// Its own fault is the only one that it expects.
static void on_bus(int sig, siginfo_t *info, void *context) {
  (void)sig, (void)info, (void)context;
  if (is_mine) {
    is_mine = 0;
    siglongjmp(back, 1);
  }
  static const char text[] = "the library has met a SIGBUS that is not its own\n";
  _exit(write(1, text, sizeof text - 1) > 0 ? 77 : 78);
}

static void on_bus_simply(int sig) { on_bus(sig, NULL, NULL); }

int by_sigaction(void) {
  struct sigaction act = {.sa_sigaction = on_bus, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigfillset(&act.sa_mask);
  return sigaction(SIGBUS, &act, NULL);
}

int by_signal(void) { return signal(SIGBUS, on_bus_simply) == SIG_ERR; }

int by_default(void) { return signal(SIGBUS, SIG_DFL) == SIG_ERR; }

// In the form that the kernel takes, past the C library.
int by_system_call(void) {
  struct {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask;
  } act = {on_bus, SA_SIGINFO | SA_ONSTACK | 0x04000000, NULL, 0};
  return (int)syscall(SYS_rt_sigaction, SIGBUS, &act, NULL, sizeof act.mask);
}

int by_sigprocmask(void) {
  sigset_t all;
  sigfillset(&all);
  return sigprocmask(SIG_SETMASK, &all, NULL);
}

int by_pthread_sigmask(void) {
  sigset_t bus;
  sigemptyset(&bus);
  sigaddset(&bus, SIGBUS);
  return pthread_sigmask(SIG_BLOCK, &bus, NULL);
}

// Meets a SIGBUS of its own: a mapped page that its file does not have. 1 if its handler was told.
int own_fault(void) {
  const int file = memfd_create("own", 0);
  volatile char *const page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (sigsetjmp(back, 1) != 0) {
    munmap((void *)page, 4096);
    return 1;
  }
  is_mine = 1;
  return page[0] + 2;
}

static void (*java)(void);

static void *run(void *unused) {
  (void)unused;
  java();
  if (by_pthread_sigmask() == 0 && by_sigprocmask() == 0) {
    java();
  }
  return NULL;
}

// Has a thread of its own call Java, block SIGBUS, and call Java again.
int in_a_thread(void (*call)(void)) {
  pthread_t thread;
  java = call;
  return pthread_create(&thread, NULL, run, NULL) != 0 || pthread_join(thread, NULL) != 0;
}

#ifdef TAKES_AT_ONCE
__attribute__((constructor)) static void take(void) {
  by_sigaction();
  by_pthread_sigmask();
}
#endif
