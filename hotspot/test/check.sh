# shellcheck shell=bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# A very small test harness: each check prints one line, `finish` the closing line and the exit status.

passed=0 failed=0

# pass NAME / fail NAME [DETAILS]
pass() { passed=$((passed + 1)); echo "ok   $1"; }
fail() { failed=$((failed + 1)); echo "FAIL $1"; [[ -z ${2:-} ]] || awk '{ print "     | " $0 }' <<<"$2"; }

# prints NAME PATTERN COMMAND...: the command succeeds and what it prints (both streams) has a line that matches.
prints() {
    local name=$1 pattern=$2 output status=0
    shift 2
    output=$("$@" 2>&1 </dev/null) || status=$?
    if (( status == 0 )) && grep -Eq -- "$pattern" <<<"$output"; then
        pass "$name"
    else
        fail "$name" "status $status, wanted a line like: $pattern"$'\n'"$(tail -n 20 <<<"$output")"
    fi
}

# refuses NAME PATTERN COMMAND...: the command fails, by its own choice (no signal), and says why.
refuses() {
    local name=$1 pattern=$2 output status=0
    shift 2
    output=$("$@" 2>&1 </dev/null) || status=$?
    if (( status > 0 && status < 128 )) && grep -Eq -- "$pattern" <<<"$output"; then
        pass "$name"
    else
        fail "$name" "status $status, wanted a failure with a line like: $pattern"$'\n'"$(tail -n 20 <<<"$output")"
    fi
}

# holds NAME COMMAND...: the command succeeds.
holds() {
    local name=$1
    shift
    if "$@" >/dev/null 2>&1 </dev/null; then pass "$name"; else fail "$name" "$*"; fi
}

finish() {
    echo "$passed passed, $failed failed"
    (( failed == 0 && passed > 0 ))
}
