#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# mutations.sh [NAME...]: tests the tests. Builds the release view with one deliberate mistake in H2, of mutations/
# beside this script, at a time and says which check catches it, and after how many seconds. CHECKS="fuzz stress jvm"
# chooses among the checks; each stops at its first complaint. The first row is of the view without a mistake, of which
# no check may complain: if one does, its complaints mean nothing, and the run ends there. A mistake that no check
# catches fails the run. The table is also in out/mutations.md. `mutations.sh --check` only says whether all of them
# still apply. (The engine has its own, in engine/models/mutations.)

set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
root=$PWD
patches=$root/hotspot/test/mutations
tree=$root/build/mutations/tree
logs=$root/out/mutations
read -ra checks <<<"${CHECKS:-fuzz stress jvm}"

# names [NAME...]: the mutations meant, all if none is named.
names() { if [[ $# -gt 0 ]]; then printf '%s\n' "$@"; else basename -s .patch -a "$patches"/*.patch; fi; }

check() {
    local name status=0
    for name in $(names); do
        patch -p1 --dry-run -s -f <"$patches/$name.patch" >&2 || { echo "$patches/$name.patch does not apply any more" >&2; status=1; }
    done
    return $status
}

# lay: a copy of what git knows, and of what it does not ignore. Files that did not change keep their times.
lay() {
    mkdir -p "$tree"
    git ls-files --cached --others --exclude-standard | while read -r f; do [[ -e $f || -L $f ]] && echo "$f"; done |
        while read -r f; do
            cmp -s "$f" "$tree/$f" && continue
            mkdir -p "$tree/$(dirname "$f")" && cp -P --preserve=mode "$f" "$tree/$f"
        done
}

# build NAME: the view with the mutation; with none of them if it is "none".
build() {
    lay
    (cd "$tree" && { [[ $1 == none ]] || patch -p1 -s <"$patches/$1.patch"; } &&
        make -s jdk </dev/null) >"$logs/$1-build.log" 2>&1
}

# The checks. Each takes the view.
fuzz() {
    "$("$root/hotspot/build/base-jdk.sh")/bin/java" -cp "$root/java/fuzz/target/classes:$root/java/kit/target/classes:$root/java/api/target/classes" \
        org.ztera.fuzz.Main --view "$1" --programs 120 --seed 1 --max-failures 1 --shrink-seconds 0 --out "$root/build/mutations/fuzz"
}
stress() { "$root/java/tests/stress.sh" "$1" 1 1; }
jvm() {
    JAVA_HOME=$("$root/hotspot/build/base-jdk.sh") mvn -B -ntp -f "$root/java/pom.xml" verify -pl tests -am \
        -Dztera.jdk="$1" -Dztera.jdk.fastdebug="$1" -Dztera.tests.dir="$root/build/mutations/runs"
}

# watch CHECK LOG VIEW: runs a check up to its first complaint; prints the seconds that took, or "-" if it has none.
watch() {
    local start=$SECONDS line pid
    set -m
    "$1" "$3" >"$2" 2>&1 </dev/null &
    pid=$!
    set +m
    while kill -0 "$pid" 2>/dev/null; do
        sleep 0.3
        grep -qE 'FAILED|FAILURE in|\[ERROR\]|DIFFERENCE|fatal error has been detected' "$2" && break
    done
    line=$(grep -nE -m 1 'FAILED|FAILURE in|\[ERROR\]|DIFFERENCE|fatal error has been detected' "$2")
    kill -- "-$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    if [[ -n $line ]]; then echo "$((SECONDS - start)) s"; else echo "-"; fi
}

# print_row TEXT: of the table, to be seen and kept.
print_row() { echo "$1" | tee -a out/mutations.md; }

# try NAME: one row of the table. Succeeds if a check complains.
try() {
    local name=$1 one found row caught=1
    row="| $name |"
    if ! build "$name"; then
        print_row "$row does not build, see $logs/$name-build.log |"
        [[ $name == none ]]
        return
    fi
    for one in "${checks[@]}"; do
        found=$(watch "$one" "$logs/$name-$one.log" "$tree/build/jdk")
        row+=" $found |"
        [[ $found == - ]] || caught=0
    done
    print_row "$row"
    return $caught
}

[[ ${1:-} != --check ]] || { check; exit; }
for needed in build/jdk build/ztera-api.jar; do
    [[ -e $needed ]] || { echo "mutations: no $needed; run \`make\` first" >&2; exit 2; }
done
mkdir -p "$logs"
caught=0 missed=0
rm -f out/mutations.md
print_row "$(printf '| mutation |'; printf ' %s |' "${checks[@]}")"
print_row "|---|$(printf '%s' "${checks[@]/*/---|}")"
if try none; then
    echo "mutations: a check complains of the view without a mistake, or it does not build: see $logs/none-*.log" >&2
    exit 1
fi
for name in $(names "$@"); do
    if try "$name"; then caught=$((caught + 1)); else missed=$((missed + 1)); fi
done
echo "$caught caught, $missed not"
[[ $missed -eq 0 ]]
