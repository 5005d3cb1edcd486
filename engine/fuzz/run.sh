#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026, the ZTera authors.
#
# Fuzzes the engine with libFuzzer under the address sanitizer, each target for an equal part of the time.
#
# Usage: engine/fuzz/run.sh MINUTES [target]...     (default: lz4 zstd deflate numbers frame abi nbd session)
#        engine/fuzz/run.sh keep                    makes the kept corpus anew from what was found
#
# Inputs that are found are kept in target/fuzz/found/<target>; an input that fails, in target/fuzz/failures, and its
# path is printed. `keep` copies as few inputs as reach as much code into engine/fuzz/corpus, which
# `cargo test` replays. Needs no nightly toolchain: RUSTC_BOOTSTRAP lets the stable one use what it has. The C
# codecs are compiled with gcc's coverage, see fuzzers/coverage.c. Linux x86-64 only.

set -eu
cd "$(dirname "$0")/../.."
out=$PWD/target/fuzz
target=x86_64-unknown-linux-gnu
all="lz4 zstd deflate numbers frame abi nbd session"

build() {
    mkdir -p "$out/failures"
    coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
    coverage="$coverage -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
    # libFuzzer has a __sanitizer_cov_trace_pc that only warns; ours comes first.
    coverage="$coverage -Clink-arg=-Wl,--allow-multiple-definition"
    RUSTC_BOOTSTRAP=1 \
        RUSTFLAGS="-Zsanitizer=address -Cunsafe-allow-abi-mismatch=sanitizer -Cdebug-assertions -Ccodegen-units=1 $coverage" \
        CFLAGS="-O1 -fsanitize=address -fsanitize-coverage=trace-pc,trace-cmp -fno-omit-frame-pointer" \
        CARGO_TARGET_DIR="$out" cargo build --quiet --release --target "$target" -p ztera-fuzz --features libfuzzer
}

# fuzzer TARGET ARGUMENT...
fuzzer() {
    program=$out/$target/release/fuzz-$1
    shift
    # The engine's own mappings are most of its memory; a range's threads outlive no input.
    ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}" "$program" -artifact_prefix="$out/failures/" -rss_limit_mb=4096 \
        -timeout=60 -max_len=4096 -print_final_stats=1 "$@"
}

fuzz() {
    seconds=$(($1 * 60 / $2))
    shift 2
    for name in "$@"; do
        echo "== $name for $seconds s"
        mkdir -p "$out/found/$name"
        fuzzer "$name" -max_total_time="$seconds" "$out/found/$name" "engine/fuzz/corpus/$name" 2>"$out/$name.log" || {
            tail -n 40 "$out/$name.log"
            echo "$name failed; the whole log: $out/$name.log" >&2
            exit 1
        }
        grep -E 'stat::number_of_executed_units|cov: ' "$out/$name.log" | tail -n 2
    done
}

keep() {
    for name in $all; do
        rm -rf "$out/small"
        mkdir -p "$out/small" "$out/found/$name"
        fuzzer "$name" -merge=1 -use_counters=0 "$out/small" "$out/found/$name" "engine/fuzz/corpus/$name" 2>"$out/$name.log"
        rm -f "engine/fuzz/corpus/$name"/*
        # The smallest inputs are the ones worth keeping; 8 KiB of each target are enough.
        # shellcheck disable=SC2012
        ls -Sr "$out/small" | while read -r file; do
            [ "$(cat "engine/fuzz/corpus/$name"/* 2>/dev/null | wc -c)" -gt 8192 ] || cp "$out/small/$file" "engine/fuzz/corpus/$name/"
        done
        echo "$name: $(find "engine/fuzz/corpus/$name" -type f | wc -l) inputs"
    done
}

case ${1:-} in
keep)
    build
    keep
    ;;
'' | *[!0-9]*)
    sed -n 's/^# \(Usage\|  *engine\)/\1/p' "$0" >&2
    exit 2
    ;;
*)
    minutes=$1
    shift
    [ $# -gt 0 ] || eval "set -- $all"
    build
    fuzz "$minutes" $# "$@"
    ;;
esac
