// SPDX-License-Identifier: MIT OR Apache-2.0
// Copyright (c) 2026, the ZTera authors.
//
// GCC marks the branches of lz4 and zstd by calls of __sanitizer_cov_trace_pc, which libFuzzer does not
// know. It does read counters from a section of this name.

#include <stdint.h>

enum { COUNTERS = 1 << 14 };

__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t counters[COUNTERS];

void __sanitizer_cov_trace_pc(void);

__attribute__((no_sanitize("address"), no_sanitize_coverage)) void __sanitizer_cov_trace_pc(void) {
  uintptr_t place = (uintptr_t)__builtin_return_address(0);
  counters[(place ^ place >> 14) % COUNTERS]++;
}
