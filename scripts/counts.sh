#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# counts.sh [--check|--refresh]: how many instructions the engine's hot paths take (engine/store/examples/counts.rs), as
# callgrind counts them, beside those kept in engine/counts.txt. --check: as tests, which fail where the difference is
# more than the tolerance, either way; --refresh: keeps today's.
#
# Counts depend on compilers, C library and Valgrind, which the kept file names: where others are here, nothing is
# compared. With the same, they differ by some thousandths at most, by where stack and heap happen to begin; the
# tolerance is for that, and for what compilers do to code whose neighbours have changed.

set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../hotspot/test/check.sh"
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
kept=engine/counts.txt
program=${CARGO_TARGET_DIR:-target}/release/examples/counts
tolerance=3 # per cent
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
touch "$work/now"

# made_with: what counts depend on beside this repository.
made_with() {
    rustc --version
    "${CC:-cc}" --version | head -n 1
    getconf GNU_LIBC_VERSION
    valgrind --version
    # Valgrind's answers about the CPU depend on this alone.
    if grep -qw avx2 /proc/cpuinfo; then echo "$(uname -m), AVX2"; else uname -m; fi
}

# why_not_compared: prints nothing if counts of here and the kept ones can be compared.
why_not_compared() {
    if ! command -v valgrind >/dev/null; then
        echo "valgrind is not installed"
    else
        diff <(sed -n 's/^# with //p' "$kept") <(made_with) | sed -n 's/^< /kept is what was counted with /p; s/^> /here is /p' | paste -sd';'
    fi
}

# count: "NAME INSTRUCTIONS" for each path, in $work/now.
count() {
    local name operations n=0
    # Without this, each byte that `rep stosb` writes is an instruction, where the C library takes it to be fast.
    GLIBC_TUNABLES=glibc.cpu.hwcaps=-ERMS valgrind --quiet --tool=callgrind --callgrind-out-file="$work/dump" \
        --collect-atstart=no --toggle-collect=ztera_counted --dump-after=ztera_counted "$program" >"$work/paths" || return
    while read -r name operations; do
        n=$((n + 1))
        awk -v name="$name" -v operations="$operations" '/^summary: / { printf "%s %.0f\n", name, $2 / operations }' "$work/dump.$n"
    done <"$work/paths" >"$work/now"
}

# compare: "NAME KEPT NOW CHANGE VERDICT" for each path of either list.
compare() {
    awk -v tolerance="$tolerance" '
        /^#/ || !NF { next }
        NR == FNR { kept[$1] = $2; next }
        !($1 in kept) { print $1, "-", $2, "-", "wrong"; next }
        {
            change = 100 * ($2 - kept[$1]) / kept[$1]
            printf "%s %d %d %+.1f%% %s\n", $1, kept[$1], $2, change, (change^2 > tolerance^2 ? "wrong" : "right")
            delete kept[$1]
        }
        END { for (name in kept) print name, kept[name], "-", "-", "wrong" }' "$kept" "$work/now"
}

check() {
    local reason name before now change verdict
    holds "each path does what it should" "$program"
    reason=$(why_not_compared)
    if [[ -n $reason ]]; then
        echo "SKIPPED, instructions not compared: $reason"
        return
    fi
    holds "instructions can be counted" count
    while read -r name before now change verdict; do
        if [[ $verdict == right ]]; then
            pass "$name: $now instructions ($change)"
        else
            fail "$name: $now instructions, kept is $before ($change)" \
                "If this is meant to be, 'make counts REFRESH=1' keeps the counts of now in $kept."
        fi
    done < <(compare)
}

refresh() {
    {
        echo "# Instructions per operation of the engine's hot paths. Written by: make counts REFRESH=1"
        made_with | sed 's/^/# with /'
        cat "$work/now"
    } >"$kept"
}

table() {
    local reason
    reason=$(why_not_compared)
    [[ -z $reason ]] || echo "These cannot be compared: $reason"
    { echo "path kept now change"; compare | cut -d' ' -f1-4; } | column -t -R 2,3,4
}

cargo build --quiet --release -p ztera-store --example counts || exit
case ${1:-} in
--check) check && finish ;;
--refresh) count && refresh && table ;;
*) count && table ;;
esac
