# shellcheck shell=bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# Tests of the repository that need a kernel, root, or a capability. Elsewhere they may be skipped.

for suite in loop_device swap; do
    # The laboratory boots the guest without them.
    [[ -e /rust/$suite ]] || continue
    for test in $(/rust/$suite --list --format terse | sed -n 's/: test$//p'); do
        # Children of other tests are ignored.
        /rust/$suite --ignored --list --format terse | grep -q "^$test: " || check "$suite::$test" /rust/$suite --exact "$test"
    done
done
