#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# How the results of the JDK's own tests are judged, on results made up here.

set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/check.sh"

base=$("$here/../build/base-jdk.sh")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
out=$tmp/out

# result MODE TEST STATUS: as jtreg leaves it, in the group "g".
result() {
    local dir=$out/$1/g/work/${2%/*}
    mkdir -p "$dir"
    printf '%s\n' '#Test Results (version 2)' '#-----testresult-----' "execStatus=$3" "test=${2/'#'/\\#}" totalTime=12 '' \
        '#section:main' 'execStatus=Failed. this is output' >"$dir/$(basename "$2" .java).jtr"
}

# select_tests MODE TEST...: what the group holds.
select_tests() { mkdir -p "$out/$1/g" && printf '%s\n' "${@:2}" >"$out/$1/g/tests"; }

report() { "$base/bin/java" -cp "$tmp/classes" JtregReport "$1" "$out" "$tmp/expected" "${@:2}"; }
judgement() { report judge "$@" || true; }
status_of_judge() { report judge "$@" >/dev/null && echo accepted || echo refused; }

"$base/bin/javac" -d "$tmp/classes" "$here"/Jtreg*.java
cat >"$tmp/expected" <<'LIST'
# a comment
on a/Listed.java#id1 it may
on a/Stale.java it was so once
sometimes on a/Sometimes.java by chance
on b/* all of them
on f/Late.java "too late" it waits
LIST

select_tests on a/Good.java a/Listed.java#id1
result on a/Good.java 'Passed. Execution successful'
result on a/Listed.java#id1 'Failed. Execution failed'
prints "a failure with a reason is accepted" '^accepted$' status_of_judge on/g
prints "its reason is shown" '^expected: on a/Listed\.java#id1: it may$' judgement on/g
prints "the closing line counts what passed" '^1 passed, 0 failed$' judgement on/g

select_tests on a/Good.java a/Stale.java a/Sometimes.java
result on a/Stale.java 'Passed. Execution successful'
result on a/Sometimes.java 'Passed. Execution successful'
prints "a reason whose test passes is stale" '^stale: on a/Stale\.java passes now' judgement on/g
prints "a reason that depends on chance is not" '^0$' \
    bash -c "'$base/bin/java' -cp '$tmp/classes' JtregReport judge '$out' '$tmp/expected' on/g | grep -c '^stale.*Sometimes'; true"

select_tests on a/Good.java b/Any.java
result on b/Any.java 'Error. Agent died'
prints "a pattern covers errors, too" '^expected: on b/Any\.java: all of them$' judgement on/g
prints "the table counts it as expected" '^\| .g. \| on \| all \| 1 \| 0 \| 0 \| 0 \| 1 \| 0 \|$' report table

select_tests on a/Good.java f/Late.java
result on f/Late.java 'Failed. Execution failed: too late'
prints "a reason may be for one message" '^expected: on f/Late\.java: it waits$' judgement on/g
result on f/Late.java 'Failed. Execution failed: too soon'
prints "... and for no other" '^refused$' status_of_judge on/g

select_tests on a/Good.java c/Bad.java
result on c/Bad.java 'Failed. Execution failed: "quoted"'
prints "a failure without a reason is refused" '^refused$' status_of_judge on/g
prints "it is to be tried on the stock VM" '^c/Bad\.java$' report pending on/g
result stock c/Bad.java 'Passed. Execution successful'
prints "... once" '^0$' bash -c "'$base/bin/java' -cp '$tmp/classes' JtregReport pending '$out' '$tmp/expected' on/g | wc -l"
prints "it stays a failure when the stock VM passes" '^refused$' status_of_judge on/g
prints "the JSON holds it" '"c/Bad\.java", "verdict": "FAILED", .*\\"quoted\\"' report json
result stock c/Bad.java 'Failed. Execution failed'
prints "a failure that the stock VM shares is accepted" '^accepted$' status_of_judge on/g

select_tests on a/Good.java d/Missing.java
prints "a test that did not run is a failure" '^1 passed, 1 failed$' judgement on/g
result on d/Missing.java 'Not run. Interrupted'
prints "so is one that was interrupted" '^FAILED: on g: 1 tests did not run$' judgement on/g
result on d/Missing.java 'Passed. Skipped: jtreg.SkippedException: no such device'
prints "a test that skips itself is not applicable" '^\| .g. \| on \| all \| 1 \| 0 \| 0 \| 1 \| 0 \| 0 \|$' report table
mkdir -p "$out/on/g/report/text"
printf '%s\n' 'e/One.java Not run. The platform does not meet the specified requirements' 'e/Two.java Not run. Excluded' \
    'a/Good.java Not run. Test had "passed" before' >"$out/on/g/report/text/notRun.txt"
prints "neither are those that jtreg ruled out" '^\| .g. \| on \| all \| 1 \| 0 \| 0 \| 3 \| 0 \| 0 \|$' report table
echo "no tests were filtered out" >"$out/on/g/report/text/notRun.txt"
prints "of which there may be none" '^\| .g. \| on \| all \| 1 \| 0 \| 0 \| 1 \| 0 \| 0 \|$' report table
select_tests on d/Missing.java
prints "nothing but such tests is no success" '^refused$' status_of_judge on/g
finish
