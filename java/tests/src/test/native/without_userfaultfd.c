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

// without_userfaultfd PROGRAM ARGUMENTS...: runs a program to which the kernel refuses userfaultfd, as it
// does in most containers, whatever rights this process has. Compiled with -DLEAVES_THE_DEVICE it refuses the
// system call alone, as a container's profile does that was given --device /dev/userfaultfd.

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The request by which /dev/userfaultfd gives out a descriptor (linux/userfaultfd.h, USERFAULTFD_IOC_NEW).
#define NEW_USERFAULTFD 0xAA00

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// Skips so many statements unless what was loaded equals value.
#define UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)

int main(int argc, char** argv) {
  struct sock_filter filter[] = {
    LOAD(nr),
    UNLESS(SYS_userfaultfd, 1),
    REFUSE,
#ifndef LEAVES_THE_DEVICE
    UNLESS(SYS_ioctl, 3),
    LOAD(args[1]),
    UNLESS(NEW_USERFAULTFD, 1),
    REFUSE,
#endif
    ALLOW,
  };
  const struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };
  if (argc < 2) {
    fprintf(stderr, "usage: without_userfaultfd PROGRAM ARGUMENTS...\n");
    return 2;
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("seccomp");
    return 2;
  }
  execv(argv[1], argv + 1);
  perror(argv[1]);
  return 2;
}
