#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# bench_test.sh ZTERA VIEW SPARK: `ztera bench spark` runs one workload on tiny data, on stock Spark and on three tiers.

set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit
source hotspot/test/check.sh
ztera=${1:?name the command} view=${2:?name a view} spark=${3:?name a folder of Spark}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

tiny=("$ztera" bench spark --quick --workload linear-sparse --cached 4m --arm three --resume "$tmp/samples.jsonl"
    --ssd build --jdk "$view" --spark "$spark")
if (( EUID )); then
    echo "SKIPPED, as memory cgroups take root: bench spark"
    pass "bench spark is for root"
else
    prints "three tiers finish and find what stock Spark finds" '^│ three +┆ ok ' "${tiny[@]}"
    prints "both runs are kept" "^2$" bash -c "wc -l <'$tmp/samples.jsonl'"
    prints "a second time nothing runs" '"met": true' "${tiny[@]}" --json
    prints "samples are as before" '^2$' bash -c "wc -l <'$tmp/samples.jsonl'"
fi
finish
