#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# aarch64.sh: a function test of the engine and of `ztera tune` on aarch64. QEMU runs each program in its user mode,
# which has no userfaultfd. So nothing with a range is here, and times mean nothing.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly target=aarch64-unknown-linux-gnu root=/usr/aarch64-linux-gnu name="the engine on aarch64"
readonly suites=(-p ztera-policy -p ztera-codec -p ztera-pool -p ztera-store)

# has NAME COMMAND...: whether a command succeeds. If not, the test ends and says what is missing.
has() {
    "${@:2}" >/dev/null 2>&1 && return
    echo "$name: $1 is missing"
    exit 1
}

has "the package qemu-user" command -v qemu-aarch64
has "the package gcc-aarch64-linux-gnu" command -v aarch64-linux-gnu-gcc
has "the package libc6-dev-arm64-cross" test -e $root/lib/libc.so.6
has "Rust's standard library for $target, which rustup can add," rustup target add $target

export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L $root"
passed=0 failed=0
# counted COMMAND...: runs it, and remembers whether it failed.
counted() { if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi; }

test_of() { cargo test --locked --no-fail-fast --target $target "$@"; }
counted test_of "${suites[@]}"
# Tests of block devices need libblkid of that CPU.
counted test_of -p ztera-ssd --lib --test tier -- --skip signature::

# tune SOURCE...: H2's codecs, measured on data of one kind. The best is named.
tune() {
    local said
    said=$(cargo run --quiet --locked --target $target -p ztera-cli -- \
        tune --target h2 --size 1m --seconds 0.001 --threads 2 "$@") || return
    echo "$said"
    [[ $said == *"Best: "* ]]
}
counted tune --synthetic
counted tune --directory docs
echo "$passed passed, $failed failed"
(( failed == 0 ))
