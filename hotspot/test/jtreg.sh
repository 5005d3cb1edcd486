#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# jtreg.sh VIEW [off|on]...: runs the JDK's own Parallel GC tests on a JDK view, with H2 off and with H2 on (where every full
# GC moves random groups and verifies H2). A failure that hotspot/test/jtreg-expected.txt does not explain fails the run.
#
# The tests come from the same source that HotSpot is built from, jtreg from the distribution. Its version is 7 where the
# suite asks for 8 (for tests in other folders); so the tests run from a copy whose TEST.ROOT asks for less, and has no
# groups, since those name all of the suite.

source "$(dirname "${BASH_SOURCE[0]}")/../build/lib.sh"

view=$(readlink -f "${1:?name a view}")
shift
modes=("$@")
[[ $# -gt 0 ]] || modes=(off on)
expected=$ZTERA_ROOT/hotspot/test/jtreg-expected.txt
out=$ZTERA_ROOT/out/jtreg
tests=(gc/parallel gc/TestSystemGC.java gc/TestMemoryMXBeansAndPoolsPresence.java gc/stress/gcbasher gc/stress/gcold gc/logging)

# flags MODE: the VM flags of a mode, besides the collector.
flags() {
    case $1 in
        off) ;;
        on) echo -XX:H2Size=1g -XX:+UnlockDiagnosticVMOptions -XX:+H2Stress -XX:+H2Verify ;;
        *) die "unknown mode '$1' (off or on)" ;;
    esac
}

# copy_suite DIR: the part of the JDK's test tree that these tests need.
copy_suite() {
    local source
    source=$("$ZTERA_ROOT/hotspot/build/fetch-source.sh")/tree/test
    rm -rf "$1"
    mkdir -p "$1/hotspot/jtreg"
    cp -r "$source/lib" "$source/jtreg-ext" "$1/"
    cp -r "$source/hotspot/jtreg/gc" "$1/hotspot/jtreg/"
    sed '/^groups=/d; s/^requiredVersion=.*/requiredVersion=7.5+1/' "$source/hotspot/jtreg/TEST.ROOT" >"$1/hotspot/jtreg/TEST.ROOT"
}

# run_mode MODE: runs the tests; jtreg's exit status says little, its summary is what counts.
run_mode() {
    local dir=$out/$1 options=() flag
    rm -rf "$dir"
    mkdir -p "$dir"
    for flag in -XX:+UseParallelGC $(flags "$1"); do options+=("-vmoption:$flag"); done
    JT_JAVA=$("$ZTERA_ROOT/hotspot/build/base-jdk.sh") jtreg -jdk:"$view" "${options[@]}" -w:"$dir/work" -r:"$dir/report" \
        -concurrency:2 -timeoutFactor:4 -verbose:summary -retain:fail,error "${tests[@]/#/$out/test/hotspot/jtreg/}" || true
    [[ -s $dir/report/text/summary.txt ]] || die "jtreg ran no test in mode $1"
}

# judge MODE: prints the outcome of each test; false when a failure is not explained.
judge() {
    local test outcome reason unexplained=0 ok=0 explained=0
    echo "-- H2 $1: $(flags "$1")"
    while read -r test outcome; do
        reason=$(awk -v mode="$1" -v test="$test" '$1 == mode && $2 == test { $1 = $2 = ""; print substr($0, 3); exit }' "$expected")
        # The outcome may hold any text; only its first word and whether there is a reason count.
        case ${outcome%%[. ]*}:${reason:+explained} in
            Passed:) ok=$((ok + 1)) && echo "passed    $test" ;;
            Passed:*) ok=$((ok + 1)) && echo "passed    $test, though listed: $reason" ;;
            *:explained) explained=$((explained + 1)) && echo "explained $test: $reason" ;;
            *) unexplained=$((unexplained + 1)) && echo "FAILED    $test: $outcome (files: $out/$1/work)" ;;
        esac
    done <"$out/$1/report/text/summary.txt"
    (( explained == 0 )) || echo "$explained failures explained in ${expected#"$ZTERA_ROOT/"}"
    echo "$ok passed, $unexplained failed"
    (( unexplained == 0 ))
}

"$ZTERA_ROOT/hotspot/build/require.sh" jtreg7
command -v jtreg >/dev/null || die "jtreg 7 is needed: install the package jtreg7 of your distribution"
copy_suite "$out/test"
status=0
for mode in "${modes[@]}"; do run_mode "$mode"; done
for mode in "${modes[@]}"; do judge "$mode" || status=1; done
exit $status
