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

#ifndef HOTSPOT_TEST_UNITS_CHECK_HPP
#define HOTSPOT_TEST_UNITS_CHECK_HPP

#include <random>
#include <stdio.h>

static int failures = 0;

static inline void check(bool good, const char* what) {
  if (!good) {
    printf("FAILED: %s\n", what);
    failures++;
  }
}

static inline int report(const char* unit) {
  printf(failures == 0 ? "%s: as expected\n" : "%s: %d FAILED\n", unit, failures);
  return failures == 0 ? 0 : 1;
}

// A number below n, the same in each run.
static inline size_t below(size_t n) {
  static std::mt19937_64 random(42);
  return random() % n;
}

#endif // HOTSPOT_TEST_UNITS_CHECK_HPP
