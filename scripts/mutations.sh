#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# mutations.sh FOLDER [NAME...]: tests the tests. Plants the deliberate mistakes of FOLDER, NAME.patch, one at a time in
# a copy of the sources, and runs FOLDER/check.sh on each. A mistake that the check does not notice fails the run.
# mutations.sh FOLDER --check: only says whether all of them still apply.
#
# check.sh NAME LOGS runs in the copy, may write files into the folder LOGS, and prints one line. Its status is 0 if
# nothing is wrong, 1 if something is, and 2 if that cannot be told. It runs first as "none", without a mistake: the
# complaints of a check that is never content mean nothing.

set -uo pipefail
[[ $# -gt 0 && -x $1/check.sh ]] || { sed -n '5,7s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
patches=$(realpath "$1")
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
copy=$PWD/build/mutations/tree
logs=$PWD/out/mutations

# names [NAME...]: the mistakes meant, all if none is named.
names() { if [[ $# -gt 0 ]]; then printf '%s\n' "$@"; else basename -s .patch -a "$patches"/*.patch; fi; }

still_apply() {
    local name status=0
    for name in $(names); do
        patch -p1 --dry-run -s -f <"$patches/$name.patch" >&2 || { echo "$patches/$name.patch does not apply any more" >&2; status=1; }
    done
    return $status
}

# lay: makes the copy, of what git knows and of what it does not ignore. Files that did not change keep their times, so
# that only what a mistake changes is built anew.
lay() {
    local file
    mkdir -p "$copy" && touch "$copy.files" || return
    git ls-files --cached --others --exclude-standard | while read -r file; do [[ ! -e $file && ! -L $file ]] || echo "$file"; done |
        sort >"$copy.now"
    (cd "$copy" && comm -13 "$copy.now" "$copy.files" | xargs -rd '\n' rm -f)
    while read -r file; do
        cmp -s "$file" "$copy/$file" || { mkdir -p "$copy/$(dirname "$file")" && cp -P --preserve=mode "$file" "$copy/$file"; }
    done <"$copy.now"
    mv "$copy.now" "$copy.files"
}

# look NAME: what the check says of the copy as it is now.
look() { (cd "$copy" && "$patches/check.sh" "$1" "$logs" </dev/null); }

# plant NAME: the check's verdict, and its status, on the copy with this mistake.
plant() {
    local status
    (cd "$copy" && patch -p1 -s -f <"$patches/$1.patch") || return 2
    look "$1"
    status=$?
    (cd "$copy" && patch -R -p1 -s -f <"$patches/$1.patch")
    return $status
}

[[ ${1:-} != --check ]] || { still_apply; exit; }
mkdir -p "$logs" && lay || exit
found=$(look none) || { echo "mutations: the check complains without a mistake ($found); see $logs" >&2; exit 1; }
missed=0 caught=0
for name in $(names "$@"); do
    found=$(plant "$name")
    case $? in
        0) missed=$((missed + 1)); echo "$name: NOT caught ($found)" ;;
        1) caught=$((caught + 1)); echo "$name: caught ($found)" ;;
        *) missed=$((missed + 1)); echo "$name: NOT tried ($found); see $logs" ;;
    esac
done
echo "$caught passed, $missed failed"
[[ $missed -eq 0 ]]
