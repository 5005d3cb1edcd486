// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
//
// glibc 2.32 tells libstdc++ here that a program has no second thread, and needs no atomic operations. It may have one.

char __libc_single_threaded = 0;
