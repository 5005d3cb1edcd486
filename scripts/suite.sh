#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# suite.sh NAME COMMAND...: runs one test suite. Its output goes to out/test/NAME.log; here, a line of progress every 20
# s and one line at the end. The counts are those that the test runners themselves print (cargo test, Maven Surefire and
# Failsafe, our shell tests); a suite that stops short of its end counts as one failure more, one that ran no test
# fails. Skipped tests, by lines that say "SKIPPED, ...", is not counted, but said again.

set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
name=$1
shift
mkdir -p out/test
log=out/test/$name.log

# counts: "passed failed" so far, from the runners' own closing lines.
counts() {
    awk '
        { gsub(/\033\[[0-9;]*m/, "") }
        /^test result: / { passed += $4; failed += $6 }
        /^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3 }
        /Tests run: [0-9]+, Failures: / && !/Time elapsed/ {
            gsub(/[^0-9 ]/, " ")
            passed += $1 - $2 - $3 - $4; failed += $2 + $3
        }
        END { print passed + 0, failed + 0 }' "$log"
}

# failures: what the runners said of each test that failed, where it is far from the end of a long log.
failures() {
    awk '
        /^---- .* stdout ----$/ || /<<< (FAILURE|ERROR)!/ { left = 20 }
        left > 0 { print; left-- }' "$log" | head -n 200
}

start=$SECONDS next=20
echo "$name: running (log: $log)"
"$@" >"$log" 2>&1 </dev/null &
pid=$!
trap 'kill $pid 2>/dev/null' INT TERM
while kill -0 "$pid" 2>/dev/null; do
    sleep 0.2
    (( SECONDS - start >= next )) || continue
    next=$((next + 20))
    echo "$name: $((SECONDS - start)) s, $(counts | cut -d' ' -f1) passed so far; $(tail -n 1 "$log" | tr -d '\033' | cut -c1-90)"
done
wait "$pid"
status=$?

read -r passed failed < <(counts)
(( status == 0 || failed > 0 )) || failed=1
if (( status == 0 && passed == 0 )); then
    status=1 failed=1
    echo "$name ran no test" >>"$log"
fi
(( failed == 0 )) || { failures; tail -n 60 "$log"; echo "$name: see the whole log: $log"; }
grep -ao 'SKIPPED, .*' "$log" | sort -u | sed "s/^/$name: /"
times >"out/test/$name.times" # its second line is of processes that have ended
cpu=$(awk -F'[ms ]' 'NR == 2 { print int($1 * 60 + $2 + $4 * 60 + $5) }' "out/test/$name.times")
echo "$name: passed $passed, failed $failed, in $((SECONDS - start)) s, CPU time $cpu s"
echo "$passed $failed" >"out/test/$name.counts"
(( status == 0 && failed == 0 ))
