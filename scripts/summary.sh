#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# summary.sh SUITE...: the sum over the named suites of this run. A suite that left no counts is a failure.

set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
passed=0 failed=0
for suite in "$@"; do
    if read -r p f <"out/test/$suite.counts"; then
        passed=$((passed + p)) failed=$((failed + f))
    else
        echo "$suite did not run"
        failed=$((failed + 1))
    fi 2>/dev/null
done
echo "$passed passed, $failed failed"
(( failed == 0 && passed > 0 ))
