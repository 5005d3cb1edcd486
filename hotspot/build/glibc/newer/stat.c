// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
//
// Until glibc 2.32 the stat family was compiled into each program, as calls that give the version of the struct.

#define _GNU_SOURCE
#include <sys/stat.h>

enum { STAT_VERSION = 1, NODE_VERSION = 0 };

#define STAT_FAMILY(bits)                                                                                              \
    extern int __xstat##bits(int, const char *, struct stat##bits *);                                                  \
    extern int __fxstat##bits(int, int, struct stat##bits *);                                                          \
    extern int __lxstat##bits(int, const char *, struct stat##bits *);                                                 \
    extern int __fxstatat##bits(int, int, const char *, struct stat##bits *, int);                                     \
    int stat##bits(const char *path, struct stat##bits *to) { return __xstat##bits(STAT_VERSION, path, to); }          \
    int fstat##bits(int file, struct stat##bits *to) { return __fxstat##bits(STAT_VERSION, file, to); }                \
    int lstat##bits(const char *path, struct stat##bits *to) { return __lxstat##bits(STAT_VERSION, path, to); }        \
    int fstatat##bits(int folder, const char *path, struct stat##bits *to, int flags) {                                \
        return __fxstatat##bits(STAT_VERSION, folder, path, to, flags);                                                \
    }

STAT_FAMILY()
STAT_FAMILY(64)

extern int __xmknod(int, const char *, mode_t, dev_t *);
int mknod(const char *path, mode_t mode, dev_t device) { return __xmknod(NODE_VERSION, path, mode, &device); }
