#!/bin/bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# failures.sh VIEW: what a JVM cannot survive, because data is lost or a thread of the engine is: it ends at once, and
# says why. And a hand-over of faults that fails, which it survives.
# Logs and crash reports stay in target/failures. Needs what soak.sh needs.
set -u

if [[ $# -ne 1 || ! -x $1/bin/java ]]; then
    sed -n '5,7s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
source "$(dirname "${BASH_SOURCE[0]}")/../../hotspot/test/check.sh"
original=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
directory=$PWD/target/failures
view=$directory/view

# run RULE...: the program $program, whose engine follows the rules; its output. Its thread waits for what is compiled.
program=End
run() {
    mkdir -p "$directory/ssd"
    timeout --kill-after=5 120 "$view/bin/java" -Xbatch -Xlog:gc+h2 -Xmx128m -Xmn16m -XX:+UseParallelGC -XX:-CreateCoredumpOnCrash \
        "-XX:ErrorFile=$directory/hs_err_%p.log" --enable-native-access=ALL-UNNAMED \
        -XX:H2Size=64m -XX:H2RegionSize=1m -XX:H2ResidentSize=4m -XX:H2PoolSize=8m "-XX:H2Path=$directory/ssd" \
        -cp target/classes:../api/target/classes "org.ztera.jvmtests.soak.$program" "$@" >"$directory/output.txt" 2>&1 </dev/null
}

run_and_show() {
    local status
    run "$@"
    status=$?
    cat "$directory/output.txt"
    return "$status"
}

# ends NAME MESSAGE RULE...: with these rules the program ends with a message, no earlier than they hold and not by
# itself.
ends() {
    local name=$1 message=$2 status
    shift 2
    # The shell would tell of a signal.
    run "$@" 2>/dev/null
    status=$?
    if ((status != 0 && status != 124)) && grep -q '^END begins' "$directory/output.txt" && ! grep -Eq '^END survived|AssertionError' "$directory/output.txt" &&
        grep -Eq "$message" "$directory/output.txt"; then
        pass "$name"
    else
        fail "$name" "exit status $status, wanted: $message"$'\n'"$(tail -n 30 "$directory/output.txt")"
    fi
}

# names NAME MESSAGE: the report of that crash, and the console, say why.
names() {
    local report
    report=$(grep -El "^#  Error: unit [0-9]+ at 0x[0-9a-f]+ cannot be read: $2" "$directory"/hs_err_*.log)
    holds "$1: the report says why" test -n "$report"
    holds "$1: the console says why" grep -Eq "^#  Error: unit .*$2" "$directory/output.txt"
}

trap 'rm -rf "$view"' EXIT
trap 'exit 130' INT TERM
rm -rf "$directory"
./inject-view.sh "$original" "$view" || exit 2
prints "without rules nothing ends" '^END survived' run_and_show
prints "a disk that does not always read is survived" '^END survived' run_and_show "ssd.read errno=5 gap=99"
prints "a kernel that refuses a call now and then is survived" '^END survived' run_and_show "uffd.copy errno=12 gap=99" "uffd.protect errno=11 gap=99" \
    "memory.drop errno=11 gap=99"
ends "the disk does not read" 'unit [0-9]+ at 0x[0-9a-f]+ cannot be read: reading from the SSD tier: Input/output error' "ssd.read errno=5"
names "the disk does not read" 'reading from the SSD tier: Input/output error \(os error 5\); 5 times, at byte [0-9]+ of .*/ssd'
ends "the disk gives other bytes" 'unit [0-9]+ at 0x[0-9a-f]+ cannot be read: .*checksum is wrong' "ssd.corrupt errno=0"
ends "the disk has not written" 'unit [0-9]+ at 0x[0-9a-f]+ cannot be read: .*checksum is wrong' "ssd.write.lost errno=0"
ends "the pool's bytes cannot be decoded" 'unit [0-9]+ at 0x[0-9a-f]+ cannot be read: ' "codec.unpack errno=0"
ends "there is no memory for a page for long" 'installing a unit: .*the process cannot go on' "uffd.copy errno=12"
for point in handler.fault evictor.batch worker.job; do
    # A job may be run by whoever waits for a buffer, so the thread's name is not known.
    ends "a thread panics at $point" "a test makes $point panic" "$point panic"
done
program=EndCompiled
prints "compiled code survives without rules" '^END survived' run_and_show
ends "the disk gives compiled code other bytes" 'unit [0-9]+ at 0x[0-9a-f]+ cannot be read: .*checksum is wrong' "ssd.corrupt errno=0"
program=HandOver
prints "a hand-over that fails is survived" '^HAND-OVER failed' run_and_show
holds "it is not tried again" [ "$(grep -c 'serve faults' "$directory/output.txt")" = 1 ]
finish
