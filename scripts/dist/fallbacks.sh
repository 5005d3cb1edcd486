#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# fallbacks.sh JDK TABLE: what a JVM with H2 does where something is missing that it likes to have, and what it prints.
# JDK is the folder of a package. TABLE becomes that of docs/operating.md, which has to be the same but for numbers.
# Only root can take things away.

set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../hotspot/test/check.sh"
jdk=$(realpath "$1") table=$2
tmp=$(mktemp -d /tmp/ztera-fallbacks.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/jdk" "$tmp/ssd"
chmod 755 "$tmp"
chmod 1777 "$tmp/ssd"
export jdk tmp

# compile NAME OPTION...: a program that takes userfaultfd away from another one.
compile() { gcc -O1 -o "$tmp/$1" "${@:2}" "$here/../../java/tests/src/test/native/without_userfaultfd.c"; }

# Ways to run a command where something is missing. The JDK is at $tmp/jdk, which any user may read.
apart() {
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount --pid --fork --kill-child bash -c 'mount --bind "$jdk" "$tmp/jdk" && cd "$tmp/ssd" && eval "$0" && exec "$@"' "$@"
}
whole() { apart : "$@"; }
no_userfaultfd() { apart : "$tmp/without_userfaultfd" "$@"; }
no_call() { apart : "$tmp/without_call" "$@"; }
nobody() { apart : setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
limited() { apart "ulimit $1" "${@:2}"; }
read_only() { apart 'mount -o remount,bind,ro /' "$@"; }
# shellcheck disable=SC2016 # for the inner shell
no_sys() { apart 'mount -t tmpfs none /sys' "$@"; }
# shellcheck disable=SC2016 # for the inner shell
no_proc() { apart 'mount -t tmpfs none /proc; export LD_LIBRARY_PATH=$tmp/jdk/lib' "$@"; } # the loader finds itself there

# java FLAG...: the command of the package's example.
java() { printf '%s\n' "$tmp/jdk/bin/java" -XX:H2Size=256m -Xmx128m -Xlog:gc+h2 "$@" -jar "$tmp/jdk/example/example.jar"; }

# row SITUATION FLAGS OUTCOME PATTERN WAY...: one row of the table, and one check. OUTCOME is `tier`, `file` or
# `refuses`. PATTERN finds the line that is shown; a dash shows none.
row() {
    local situation=$1 flags=$2 outcome=$3 pattern=$4 output status=0 line='as always'
    shift 4
    # shellcheck disable=SC2046,SC2086 # words of their own
    output=$("$@" $(java $flags) 2>&1 </dev/null) || status=$?
    case $outcome in
        tier) (( status == 0 )) && grep -q 'in the second heap: true' <<<"$output" && grep -q 'backing tier' <<<"$output" ;;
        file) (( status == 0 )) && grep -q 'in the second heap: true' <<<"$output" && grep -q 'backing file' <<<"$output" ;;
        refuses) (( status == 1 )) ;;
    esac
    local held=$?
    if [[ $pattern != - ]]; then
        line=$(grep -Em1 -- "$pattern" <<<"$output" | sed -E "s/^(\[[^]]*\])+ *//; s|$tmp/ssd|/ssd|; s/.*/\`&\`/")
        [[ -n $line ]] || held=1
    fi
    if (( held == 0 )); then pass "$situation: $outcome"; else fail "$situation: $outcome" "status $status"$'\n'"$output"; fi
    echo "| $situation | $(outcome_in_words "$outcome") | $line |" >>"$table"
}

outcome_in_words() {
    case $1 in
        tier) echo 'compressed memory' ;;
        file) echo 'a mapped file, not compressed' ;;
        refuses) echo 'the JVM does not start' ;;
    esac
}

# shellcheck disable=SC2016 # backticks of Markdown
rows() {
    local ssd="-XX:H2Path=$tmp/ssd"
    row 'nothing is missing' '' tier - whole
    row 'seccomp forbids userfaultfd' '' refuses 'userfaultfd' no_userfaultfd
    row 'the same, with `H2Path`' "$ssd" file 'No userfaultfd' no_userfaultfd
    row 'the same, with `H2Path` and `H2Encrypt`' "$ssd -XX:+H2Encrypt" refuses 'userfaultfd' no_userfaultfd
    row 'seccomp forbids the call, and `/dev/userfaultfd` is there' '' tier - no_call
    row 'not root' '' tier - nobody
    row 'not root, `H2FaultMode=handler`' '-XX:H2FaultMode=handler' refuses 'H2FaultMode=handler needs' nobody
    row 'no locked memory (`ulimit -l 0`)' '' tier - limited '-l 0'
    row '32 open files (`ulimit -n 32`)' "$ssd" tier - limited '-n 32'
    row 'no large files (`ulimit -f`), with `H2Path`' "$ssd" tier - limited '-f 1024'
    row '4 GiB of addresses (`ulimit -v`)' '' tier - limited '-v 4194304'
    row '4 GiB of data (`ulimit -d`)' '' tier - limited '-d 4194304'
    row 'too few addresses for `H2Size`' '-XX:H2Size=6g' refuses 'ulimit' limited '-v 4194304'
    row 'a root that is read-only' '' tier - read_only
    row 'the same, with `H2Path`' "$ssd" refuses 'H2Path' read_only
    row '`H2Path` in memory (tmpfs)' '-XX:H2Path=/dev/shm' refuses 'tmpfs' whole
    row 'no `/proc`' '' tier - no_proc
    row 'no `/sys`, so no cgroups' '' tier - no_sys
}

# without_numbers: of a table.
without_numbers() { sed -E 's/[0-9]+/0/g'; }

# undocumented: where the document's table differs.
undocumented() {
    diff <(without_numbers <"$table") <(sed -n '/^| Where | H2 is |/,/^$/{/./p}' "$here/../../docs/operating.md" | without_numbers)
}

if (( EUID )); then
    echo "SKIPPED, fall-backs: only root can take away what the JVM likes to have"
    exit
fi
compile without_userfaultfd
compile without_call -DLEAVES_THE_DEVICE
mkdir -p "$(dirname "$table")"
printf '%s\n' '| Where | H2 is | The JVM prints |' '|---|---|---|' >"$table"
rows
prints "docs/operating.md has this table" '^$' undocumented
finish
