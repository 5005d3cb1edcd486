// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
//
// glibc 2.36 has it, and libstdc++ for its random_device.

#include <stdint.h>
#include <sys/random.h>

uint32_t arc4random(void) {
    uint32_t word;
    while (getrandom(&word, sizeof word, 0) != sizeof word) {} // fails only when a signal came first
    return word;
}
