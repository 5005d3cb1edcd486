#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026, the ZTera authors.
#
# check.sh NAME LOGS: runs the test that has to notice the mistake NAME, which the sources here have. The second line of
# its patch says which test that is, as arguments of `cargo test`. Without a mistake, `make test-engine` runs them all.

set -uo pipefail
[[ $1 != none ]] || exit 0
log=$2/$1.log
read -ra test < <(sed -n '2s/^Test: //p' "$(dirname "${BASH_SOURCE[0]}")/$1.patch")
if ! cargo test --no-run -q "${test[@]}" >"$log" 2>&1; then
    echo "does not build"
    exit 2
fi
echo "${test[*]}"
# In more schedules than `make test` has time for. A mistake may also make a model run forever, or out of memory.
ZTERA_SCHEDULES=${ZTERA_SCHEDULES:-30} timeout 300 cargo test -q "${test[@]}" >>"$log" 2>&1 || exit 1
