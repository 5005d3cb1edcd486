#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026, the ZTera authors.
#
# Runs the engine's tests under the compilers' sanitizers, which is what stands in for Miri here (it
# cannot run C code, and half of what is risky is in the C codecs).
#
#   address  codec, pool, store, range: accesses out of bounds or after free, in Rust and in the C
#            code of lz4 and zstd. Pool and staging memory are mappings of their own, so inside them
#            it sees only what leaves the mapping; the pool's model test covers the rest.
#   thread   pool, store: data races in Rust code. The standard library comes uninstrumented,
#            so the tool cannot see what its locks order; the engine's own are parking_lot's, which are
#            built here. For the same reason the test harness runs tests one by one, in its main thread. One
#            test is left out: it weighs the process, and the tool's own memory with it. Not
#            range: there the kernel orders what handlers, evictor and program do to the same memory
#            (write protection, faults), which the tool cannot see and takes for races.
#
# Not covered: undefined behaviour that does not show in memory (Miri's aliasing rules); the kernel's
# side of userfaultfd.
#
# Usage: engine/sanitize.sh [address|thread]...     (default: both). Needs no nightly toolchain: the
# runtimes ship with rustc, and RUSTC_BOOTSTRAP lets the stable compiler use them. Linux x86-64 only.
# ZTERA_MODEL_OPS, ZTERA_SEED and ZTERA_FUZZ_ROUNDS are passed on to the tests.

set -eu
cd "$(dirname "$0")/.."
export RUSTC_BOOTSTRAP=1
target=x86_64-unknown-linux-gnu

run() {
    sanitizer=$1
    skip=$2
    shift 2
    echo "== $sanitizer sanitizer: $*"
    packages=
    for package in "$@"; do packages="$packages -p ztera-$package"; done
    # shellcheck disable=SC2086
    RUSTFLAGS="-Zsanitizer=$sanitizer -Cunsafe-allow-abi-mismatch=sanitizer" CARGO_TARGET_DIR="target/sanitize-$sanitizer" \
        cargo test --target "$target" --lib --tests $packages -- --test-threads=1 $skip
}

[ $# -gt 0 ] || set -- address thread
for sanitizer in "$@"; do
    case $sanitizer in
    address) CFLAGS="-fsanitize=address -fno-omit-frame-pointer" run address "" codec pool store range ;;
    thread)
        ZTERA_MODEL_OPS=${ZTERA_MODEL_OPS:-1500}
        export ZTERA_MODEL_OPS
        CFLAGS="-fsanitize=thread" TSAN_OPTIONS="halt_on_error=1 suppressions=$PWD/engine/tsan.supp ${TSAN_OPTIONS:-}" run thread "--skip the_system_gets_its_memory_back" pool store
        ;;
    *)
        echo "unknown sanitizer: $sanitizer (address, thread)" >&2
        exit 2
        ;;
    esac
done
