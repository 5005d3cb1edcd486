#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026, the ZTera authors.
#
# Tests the engine's tests: plants the mistakes of engine/models/mutations one at a time in a copy of the
# sources, and expects the test named there to fail. The first line of a patch says what the mistake is, the
# second one which test it is, as arguments of `cargo test`.
#
# Usage: engine/models/mutations.sh [NAME]...     (default: all of them)
#        engine/models/mutations.sh --check       only whether all of them still apply

set -eu
cd "$(dirname "$0")/../.."
root=$PWD
patches=$root/engine/models/mutations
work=$root/target/mutations
target=${CARGO_TARGET_DIR:-$work/target}

names() { for patch in "$patches"/*.patch; do basename "$patch" .patch; done; }

check() {
    for name in $(names); do
        patch -p1 --dry-run -s -f <"$patches/$name.patch" >&2 || { echo "$name does not apply any more" >&2; exit 1; }
    done
}

# Files keep their times, so that only what the last patch and this one change is compiled.
lay() {
    mkdir -p "$work/tree"
    git ls-files --cached --others --exclude-standard Cargo.toml Cargo.lock engine ffi disk machine lab cli | while read -r file; do
        cmp -s "$file" "$work/tree/$file" && continue
        mkdir -p "$work/tree/$(dirname "$file")"
        cp "$file" "$work/tree/$file"
    done
}

# plant NAME: prints whether its test fails.
plant() {
    lay
    (cd "$work/tree" && patch -p1 -s <"$patches/$1.patch")
    test=$(sed -n '2s/^Test: //p' "$patches/$1.patch")
    # shellcheck disable=SC2086
    (cd "$work/tree" && CARGO_TARGET_DIR=$target cargo test --no-run -q ${test% *}) >"$work/$1.log" 2>&1 ||
        { echo "does not build, see $work/$1.log"; return 1; }
    # In more schedules than `make test` has time for. A mistake may also make a model run forever, or out of memory.
    # shellcheck disable=SC2086
    if (cd "$work/tree" && ZTERA_SCHEDULES="${ZTERA_SCHEDULES:-30}" CARGO_TARGET_DIR=$target timeout 300 cargo test -q $test) >>"$work/$1.log" 2>&1; then
        echo "NOT caught"
        return 1
    fi
    echo "caught by $test"
}

[ "${1:-}" != --check ] || { check; exit; }
[ $# -gt 0 ] || eval "set -- $(names | tr '\n' ' ')"
missed=0
for name in "$@"; do
    printf '%s: ' "$name"
    plant "$name" || missed=$((missed + 1))
done
echo "$(($# - missed)) passed, $missed failed"
[ "$missed" -eq 0 ]
