#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# refresh-patch.sh TREE: writes hotspot/hooks.patch anew from an edited OpenJDK tree: all its differences from the
# pristine source, except files of the overlay (edit those in hotspot/src). Never edit the patch itself.
# refresh-patch.sh --check: fails unless the patch applies and is what this script would write.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$ZTERA_ROOT/hotspot/build/patch.sh"

pristine=$("$ZTERA_ROOT/hotspot/build/fetch-source.sh")
version=$(<"$pristine/version")
pristine=$pristine/tree
new=$(mktemp)
trap 'rm -f "$new"' EXIT

# changed_files TREE: stock files that differ. A new file belongs in the overlay and a stock file cannot be removed.
changed_files() {
    local line
    LC_ALL=C diff -rq --no-dereference -x build -x .git -x .gitignore -x '*.orig' -x '*.rej' "$pristine" "$1" |
        while read -r line; do
            case $line in
                "Files $pristine/"*) line=${line#"Files $pristine/"} && echo "${line%% and *}" ;;
                "Only in $pristine"*) say "warning: removed from the tree, which the patch does not do: ${line#Only in }" ;;
                "Only in $1"*)
                    line=${line#"Only in $1/"} && line=${line/: //}
                    [[ -e $ZTERA_ROOT/hotspot/$line ]] || say "warning: new in the tree, but not in the overlay: $line" ;;
            esac
        done | sort
}

case ${1:-} in
    --check)
        tree=$(mktemp -d)
        trap 'rm -rf "$new" "$tree"' EXIT
        patched_files "$pristine" "$version" "$tree"
        mapfile -t files < <(hooked_files | sort -u)
        diff_of "$pristine" "$tree" "${files[@]}" >"$new"
        cmp -s "$new" "$hooks" || [[ ! -e $hooks ]] || die "hooks.patch is not fresh; run hotspot/build/refresh-patch.sh TREE"
        ;;
    "") die "name the edited OpenJDK tree" ;;
    *)
        tree=$(readlink -f "$1")
        mapfile -t files < <(changed_files "$tree" | while read -r f; do [[ -e $ZTERA_ROOT/hotspot/$f ]] || echo "$f"; done)
        diff_of "$pristine" "$tree" "${files[@]}" >"$new"
        cp "$new" "$hooks"
        say "hooks.patch: ${#files[@]} stock files, $(grep -c '^+[^+]' "$hooks" || true) lines added, $(grep -c '^-[^-]' "$hooks" || true) removed"
        ;;
esac
