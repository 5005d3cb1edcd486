#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# check.sh NAME LOGS: builds the release view from the sources here, which have the mistake NAME, and says which check
# complains of it and after how many seconds. CHECKS="units fuzz stress jvm" chooses among the checks; each stops at its
# first complaint. Needs what `make mutations` builds first.

# shellcheck disable=SC2317 # watch calls the checks by their names
set -uo pipefail
name=$1 logs=$2 view=$PWD/build/jdk
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../..")
complaint='FAILED|FAILURE in|\[ERROR\]|DIFFERENCE|fatal error has been detected'

units() { bash "$PWD/hotspot/test/units_test.sh"; }
fuzz() {
    "$("$root/hotspot/build/base-jdk.sh")/bin/java" \
        -cp "$root/java/fuzz/target/classes:$root/java/kit/target/classes:$root/java/api/target/classes" \
        org.ztera.fuzz.Main --view "$view" --programs 120 --seed 1 --max-failures 1 --shrink-seconds 0 --out "$root/build/mutations/fuzz"
}
stress() { "$root/java/tests/stress.sh" "$view" 1 1; }
jvm() {
    JAVA_HOME=$("$root/hotspot/build/base-jdk.sh") mvn -B -ntp -f "$root/java/pom.xml" verify -pl tests -am \
        -Dztera.jdk="$view" -Dztera.jdk.fastdebug="$view" -Dztera.tests.dir="$root/build/mutations/runs"
}

# watch CHECK LOG: runs a check up to its first complaint; prints the seconds that took, or fails if it has none.
watch() {
    local start=$SECONDS pid
    set -m
    "$1" >"$2" 2>&1 </dev/null &
    pid=$!
    set +m
    while kill -0 "$pid" 2>/dev/null; do
        sleep 0.3
        ! grep -qE "$complaint" "$2" || break
    done
    kill -- "-$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    grep -qE "$complaint" "$2" && echo "$((SECONDS - start)) s"
}

if ! make -s jdk </dev/null >"$logs/$name-build.log" 2>&1; then
    echo "does not build"
    exit 2
fi
status=0
for check in ${CHECKS:-units fuzz stress jvm}; do
    if seconds=$(watch "$check" "$logs/$name-$check.log"); then
        status=1
        printf '%s: %s; ' "$check" "$seconds"
    else
        printf '%s: nothing; ' "$check"
    fi
done
exit $status
