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

#include "gc/h2/h2FileBackend.hpp"
#include "gc/shared/gc_globals.hpp"
#include "logging/log.hpp"
#include "runtime/java.hpp"
#include "runtime/os.hpp"
#include "utilities/formatBuffer.hpp"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int create_unlinked_file(const char* directory) {
  char path[JVM_MAXPATHLEN];
  if (jio_snprintf(path, sizeof(path), "%s/ztera-h2-XXXXXX", directory) < 0) {
    errno = ENAMETOOLONG;
    return -1;
  }
  const int fd = mkostemp(path, O_CLOEXEC);  // mode 0600
  if (fd >= 0) {
    ::unlink(path);
  }
  return fd;
}

static void fail(const char* what) {
  vm_exit_during_initialization(err_msg("H2Path=%s: %s: %s. Choose a directory that can be written and has H2Size=%zuM free",
                                        H2Path, what, os::strerror(errno), H2Size / M));
}

// Has the file system take blocks for the bytes: a store for which it has none would end the process. False, with errno, if
// it does not.
static bool allocate(int fd, size_t offset, size_t bytes) {
  struct statfs fs;
  if (::fstatfs(fd, &fs) == 0 && fs.f_type == TMPFS_MAGIC) {
    errno = EOPNOTSUPP;   // its blocks are memory
    return false;
  }
  int result;
  do {
    result = ::fallocate(fd, 0, (off_t)offset, (off_t)bytes);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

bool H2FileBackend::is_allowed() {
  return !H2Encrypt && H2WriteRate == 0 && H2WritesPerDay == 0;
}

H2Backend* H2FileBackend::open(char* base, size_t bytes) {
  const int fd = create_unlinked_file(H2Path);
  if (fd < 0) {
    fail("cannot create the file of H2");
  }
  if (::ftruncate(fd, (off_t)bytes) != 0) {
    fail("cannot give the file of H2 its size");
  }
  const bool is_allocated = allocate(fd, 0, bytes);
  if (!is_allocated && errno != EOPNOTSUPP && errno != ENOSYS) {
    fail("cannot allocate the file of H2");
  }
  if (::mmap(base, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, 0) == MAP_FAILED) {
    fail("cannot map the file of H2");
  }
  // A child that only runs exec must not share, and cannot corrupt, the mapping.
  ::madvise(base, bytes, MADV_DONTFORK);
  return new H2FileBackend(base, bytes, fd, is_allocated);
}

size_t H2FileBackend::unit_bytes() const {
  return os::vm_page_size();
}

char* H2FileBackend::acquire(size_t offset, size_t* capacity) {
  *capacity = _bytes - offset;
  return _base + offset;
}

void H2FileBackend::discard(size_t offset, size_t bytes) {
  if (::fallocate(_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes) != 0) {
    log_warning(gc, h2)("Cannot punch a hole in the file of H2: %s", os::strerror(errno));
  }
  if (_is_allocated && !allocate(_fd, offset, bytes)) {
    log_warning(gc, h2)("The file system has no blocks any more for the file of H2 in H2Path=%s: %s", H2Path, os::strerror(errno));
    _is_allocated = false;
  }
}

// Where blocks are not there already, only what is free now counts, less a reserve for the file system's metadata.
size_t H2FileBackend::capacity(uint cost) const {
  if (_is_allocated) {
    return _bytes;
  }
  struct statvfs fs;
  if (::fstatvfs(_fd, &fs) != 0) {
    return 0;
  }
  const size_t free_bytes = (size_t)fs.f_bavail * fs.f_frsize;
  return free_bytes - free_bytes / 64;
}

// The kernel does not say why it could not read or write a mapped page.
void H2FileBackend::last_loss(char* text, size_t cap) const {
  struct statvfs fs;
  const bool is_full = ::fstatvfs(_fd, &fs) == 0 && fs.f_bavail == 0;
  jio_snprintf(text, cap, "the file of H2 in H2Path=%s (H2Backing=file) cannot be %s", H2Path,
               is_full ? "written: its file system is full" : "read or written; the kernel's log may say why");
}
