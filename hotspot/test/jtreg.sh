#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# jtreg.sh run [--modes M..] [--groups G..] [--tests T..] [--fresh 1]: runs the JDK's own tests on the JDK views, one
# group in one mode after the other, and judges them. It goes on where an earlier run stopped; --fresh begins again. An
# empty value means the default. The results are in out/jdk-tests/MODE/GROUP/ and out/jdk-tests/results.json.
#
# jtreg.sh report: the counts of all results in Markdown.
#
# A group is one of TEST.groups of HotSpot's suite, a folder of the JDK's suite, or `quick`: the tests of
# jtreg-quick.txt. Tests that never end under stress are excluded, with their reasons, by jtreg-exclude.txt. One that
# fails in one of our modes is tried on the stock VM; a failure that neither the stock VM shares nor jtreg-expected.txt
# gives a reason for fails the run.

here=$(dirname "${BASH_SOURCE[0]}")
source "$here/../build/lib.sh"

groups='java/lang/ref hotspot_gc vmTestbase_vm_gc_quick java/lang/invoke java/lang/Thread/virtual java/util/concurrent
    java/lang/management tier1_serviceability tier1_runtime tier1_compiler'
modes='stress off stress-fastdebug'
out=$ZTERA_ROOT/out/jdk-tests
base=$("$here/../build/base-jdk.sh")

# jdk MODE: the JAVA_HOME of a mode.
jdk() {
    case $1 in
        off | stress) echo "$ZTERA_ROOT/build/jdk" ;;
        stress-fastdebug) echo "$ZTERA_ROOT/build/jdk-fastdebug" ;;
        stock) echo "$base" ;;
        *) die "unknown mode '$1' (off, stress, stress-fastdebug or stock)" ;;
    esac
}

# flags MODE: the VM flags of a mode. Under stress, objects move at full GCs; so that every program has some, each 16
# MiB of allocation force one. Moved objects have 8 MiB of DRAM to be in; H2 is small, so that programs that fill the
# heap get their OutOfMemoryError soon.
flags() {
    echo -XX:+UseParallelGC
    case $1 in
        off) echo -XX:H2Size=0 ;;
        stress*)
            printf '%s\n' -XX:+UnlockDiagnosticVMOptions -XX:H2Size=256m -XX:H2ResidentSize=8m -XX:H2PoolSize=128m -XX:+H2Stress \
                -XX:H2StressInterval=16m -XX:+H2Verify ;;
    esac
}

# folder MODE GROUP: where the results are. $out/stock is a link: what the stock VM did outlives the clone.
folder() { echo "$out/$1/${2//\//.}"; }

# members GROUP: the tests of a group that is a list of ours; nothing for a group of the suites.
members() {
    case $1 in
        quick) grep -v '^#' "$here/jtreg-quick.txt" ;;
        chosen) tr ' ' '\n' <<<"$tests" ;;
    esac
}

# arguments GROUP [TEST...]: what jtreg is to run: the tests or, without any, the group.
arguments() {
    local test
    if (( $# == 1 )); then
        if [[ -d $suite/jdk/$1 ]]; then echo "$suite/jdk/$1"; else echo "$suite/hotspot/jtreg:$1"; fi
        return
    fi
    for test in "${@:2}"; do
        if [[ -e $suite/hotspot/jtreg/${test%%#*} ]]; then echo "$suite/hotspot/jtreg/$test"; else echo "$suite/jdk/$test"; fi
    done
}

# jtreg_on MODE ARGUMENT...: jtreg in the folder $dir, with the options that the JDK's own make gives it.
jtreg_on() {
    local options=() flag
    [[ $1 != stress* ]] || options=(-exclude:"$here/jtreg-exclude.txt")
    for flag in $(flags "$1") -XX:MaxRAMPercentage=12.5 "-Djava.io.tmpdir=$dir/tmp"; do options+=("-vmoption:$flag"); done
    mkdir -p "$dir/tmp"
    JT_JAVA=$base jtreg -jdk:"$(jdk "$1")" -agentvm -automatic -ignore:quiet -ea -esa "${options[@]}" -concurrency:2 -timeoutFactor:8 \
        -exclude:"$suite/hotspot/jtreg/ProblemList.txt" -exclude:"$suite/jdk/ProblemList.txt" ${natives:+-nativepath:"$natives"} \
        -w:"$dir/work" -r:"$dir/report" "${@:2}"
}

# running MODE ARGUMENT...: jtreg's status is 2 or 3 when tests failed, which is not for it to judge.
running() { jtreg_on "$1" -report:files -verbose:summary -retain:fail,error "${@:2}" || (( $? == 2 || $? == 3 )); }

# results STATUS..: how many tests in $dir have one of these results (with | between them).
results() { { grep -rlE --include='*.jtr' "^execStatus=($1)" "$dir/work" 2>/dev/null || true; } | wc -l; }

# progress: the count of the progress line, from jtreg's log in $dir.
progress() {
    awk -v before="$before" -v total="$total" '/^(Passed|FAILED|Error): / { done++ } /^(FAILED|Error): / { failed++ }
        END { printf "%d of %d tests, %d failed, ", before + done, total, failed }' "$dir/log"
}

# begin MODE ARGUMENT...: makes $dir, and `tests` in it: all that the arguments select. Results with other flags go.
begin() {
    local made_with
    made_with=$(flags "$1" && printf '%s\n' "${@:2}")
    if [[ -n $fresh || -e $dir/made-with && $(<"$dir/made-with") != "$made_with" ]]; then rm -rf "$dir"; fi
    [[ ! -e $dir/tests ]] || return 0
    mkdir -p "$dir"
    if [[ $group == quick ]]; then # each of its lines is a test
        members quick >"$dir/tests.new"
    else
        jtreg_on "$1" -l "${@:2}" >"$dir/log" || die "jtreg finds no tests: $(tail -n 3 "$dir/log")"
        sed -nE '/^[^ :]+\.(java|sh|html)(#[^ ]*)?$/p' "$dir/log" >"$dir/tests.new"
    fi
    echo "$made_with" >"$dir/made-with"
    mv "$dir/tests.new" "$dir/tests"
}

# other_vm MODE: the results in $dir, if any, are of another build of the VM.
other_vm() {
    local vm
    vm=$(cat "$(jdk "$1")"/lib/{server/libjvm.so,libztera.so} 2>/dev/null | short_hash || true)
    [[ $(tail -n 1 "$dir/vms" 2>/dev/null) != "$vm" ]] || return 1
    echo "$vm" >>"$dir/vms"
}

# run_group MODE GROUP: runs the tests of the group that have no result. On another build of the VM those that failed
# run again; the others keep their results, and the report says of how many builds they are.
run_group() {
    local mode=$1 group=$2 dir before total status=notRun arguments
    dir=$(folder "$mode" "$group")
    # shellcheck disable=SC2046 # names of tests have no spaces
    mapfile -t arguments < <(arguments "$group" $(members "$group"))
    begin "$mode" "${arguments[@]}"
    ! other_vm "$mode" || status=notRun,fail,error
    before=$(results 'Passed|Failed|Error') total=$(wc -l <"$dir/tests")
    (( before < total )) || [[ $status != notRun && $(results 'Failed|Error') != 0 ]] || return 0
    # A killed run may have left this: a class half, which its test takes as compiled; in the cache a result without its
    # file.
    rm -rf "$dir/report" "$dir/work/classes" "$dir"/work/jtData/ResultCache*
    run_logged "$dir/log" "$mode $group" progress running "$mode" -status:$status "${arguments[@]}"
}

# try_on_stock MODE GROUP: runs on the stock VM what failed and was not run there yet.
try_on_stock() {
    local dir before=0 total pending arguments
    mapfile -t pending < <(report pending "$1/${2//\//.}")
    (( ${#pending[@]} )) || return 0
    dir=$(folder stock "$2") total=${#pending[@]}
    mapfile -t arguments < <(arguments "$2" "${pending[@]}")
    run_logged "$dir/log" "stock $2" progress running stock "${arguments[@]}"
}

# excerpts: what the failed tests in $dir say of their failures, which may not be had again by another run.
excerpts() {
    local file
    while IFS= read -r file; do
        echo "-- ${file#"$dir/work/"}"
        grep -E -m 20 '(Error|Exception|FAIL|failure|SUSPICIOUS)' "$file" | cut -c1-300 || true
    done < <(grep -rlE --include='*.jtr' '^execStatus=(Failed|Error)' "$dir/work" || true)
}

# report COMMAND [RUN...]: see JtregReport.java.
report() { "$base/bin/java" "$here/JtregReport.java" "$1" "$out" "$here/jtreg-expected.txt" "${@:2}"; }

# prepare: the suite, the natives, and the link to the stock VM's results.
prepare() {
    local stock
    "$here/../build/require.sh" jtreg7
    command -v jtreg >/dev/null || die "jtreg 7 is needed: install the package jtreg7 of your distribution"
    suite=$("$here/jtreg-suite.sh")
    if [[ $groups != quick ]]; then
        natives=$("$here/jtreg-natives.sh")
        [[ ! -s $natives/unbuilt ]] || say "native parts that do not build:"$'\n'"$(cat "$natives/unbuilt")"
    fi
    stock=$ZTERA_CACHE/jdk-tests/stock-$(cat "$base/release" <(echo "$suite") | short_hash)
    mkdir -p "$out" "$stock"
    ln -sfn "$stock" "$out/stock"
}

run_all() {
    local mode group name dir runs=() status=0
    prepare
    for mode in $modes; do
        for group in $groups; do
            name=$mode/${group//\//.}
            runs+=("$name")
            dir=$(folder "$mode" "$group")
            run_group "$mode" "$group"
            try_on_stock "$mode" "$group"
            report json >"$out/results.json"
            echo "-- $name (files: ${out#"$ZTERA_ROOT/"}/$name)"
            report judge "$name" || { status=1 && excerpts; }
        done
    done
    report table "${runs[@]}"
    return $status
}

command=${1:-run}
shift || true
tests='' fresh='' suite='' natives=''
while (( $# )); do
    case $1 in
        --modes) modes=${2:-$modes} ;;
        --groups) groups=${2:-$groups} ;;
        --tests) tests=$2 ;;
        --fresh) fresh=$2 ;;
        *) die "unknown option '$1'" ;;
    esac
    shift 2
done
[[ -z $tests ]] || groups=chosen
case $command in
    run) run_all ;;
    report) report table ;;
    *) die "unknown command '$command' (run or report)" ;;
esac
