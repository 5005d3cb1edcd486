#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026, the ZTera authors.
#
# Runs the engine's tests under the compilers' sanitizers, and under Miri what it can run.
#
#   address  codec, pool, store, range, the fuzzers' kept inputs: accesses out of bounds or after free, in Rust and in the C
#            code of the codecs. Pool and staging memory are mappings of their own, so inside them
#            it sees only what leaves the mapping; the pool's model test covers the rest.
#   thread   pool, store: data races in Rust code. The standard library comes uninstrumented,
#            so the tool cannot see what its locks order; the engine's own are parking_lot's, which are
#            built here. For the same reason the test harness runs tests one by one, in its main thread. One
#            test is left out: it weighs the process, and the tool's own memory with it. Not
#            range: there the kernel orders what handlers, evictor and program do to the same memory
#            (write protection, faults), which the tool cannot see and takes for races.
#
#   miri     sync, pool, and the parts of codec and store that call no C and map no memory: undefined
#            behaviour that does not show in memory (aliasing, provenance, uninitialised bytes), and
#            loads that return old values. The pool's mappings are allocations there.
#
# Not covered: the kernel's side of userfaultfd.
#
# Usage: engine/sanitize.sh [address|thread|miri]...     (default: all). The sanitizers need no nightly
# toolchain: their runtimes ship with rustc, and RUSTC_BOOTSTRAP lets the stable compiler use them. Miri
# does, with the components miri and rust-src; without them, all but Miri is run, and the script says
# so. Linux x86-64 only.
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

# The pool's property tests are cut short under Miri, which is some hundred times slower.
run_miri() {
    if ! cargo +nightly miri --version >/dev/null 2>&1; then
        echo "== Miri is not installed, NOT RUN: rustup component add --toolchain nightly miri rust-src"
        return
    fi
    echo "== Miri"
    MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-permissive-provenance"
    CARGO_TARGET_DIR=target/miri
    export MIRIFLAGS CARGO_TARGET_DIR
    cargo +nightly miri test --lib --tests -p ztera-sync -p ztera-pool
    cargo +nightly miri test --lib -p ztera-codec -p ztera-store
}

[ $# -gt 0 ] || set -- address thread miri
for sanitizer in "$@"; do
    case $sanitizer in
    address) CFLAGS="-fsanitize=address -fno-omit-frame-pointer" run address "--skip discarding_gives_memory_back" codec pool store range fuzz ;;
    thread)
        ZTERA_MODEL_OPS=${ZTERA_MODEL_OPS:-1500}
        export ZTERA_MODEL_OPS
        CFLAGS="-fsanitize=thread" TSAN_OPTIONS="halt_on_error=1 suppressions=$PWD/engine/tsan.supp ${TSAN_OPTIONS:-}" \
            run thread "--skip the_system_gets_its_memory_back" pool store
        ;;
    miri) run_miri ;;
    *)
        echo "unknown sanitizer: $sanitizer (address, thread, miri)" >&2
        exit 2
        ;;
    esac
done
