# shellcheck shell=bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# Functions for hotspot/hooks.patch, the small patch of stock OpenJDK files. Needs lib.sh.

readonly hooks=$ZTERA_ROOT/hotspot/hooks.patch

# hooked_files: the stock files that the patch changes.
hooked_files() { [[ ! -e $hooks ]] || sed -n 's,^+++ b/\([^[:blank:]]*\).*,\1,p' "$hooks"; }

# patched_files PRISTINE VERSION OUT: puts the patched form of every hooked file under OUT.
patched_files() {
    local pristine=$1 version=$2 out=$3 file failed=()
    for file in $(hooked_files); do
        [[ -f $pristine/$file ]] || die "hooks.patch changes $file, which OpenJDK $version does not have"
        install -D -m 644 "$pristine/$file" "$out/$file"
    done
    [[ -s $hooks ]] || return 0
    if ! patch -d "$out" -p1 -s -f --no-backup-if-mismatch <"$hooks" >"$out/patch.log" 2>&1; then
        for file in $(hooked_files); do [[ ! -e $out/$file.rej ]] || failed+=("$file"); done
        cat "$out/patch.log" >&2
        die "hooks.patch does not apply to OpenJDK $version: ${failed[*]:-malformed patch}
  The source is $pristine; to port the hooks, see 'Changing the hooks' in CONTRIBUTING.md"
    fi
    rm -f "$out/patch.log"
    find "$out" -name '*.orig' -delete
}

# diff_of PRISTINE TREE FILE...: the patch, in its one canonical form.
diff_of() {
    local pristine=$1 tree=$2 file
    shift 2
    for file in "$@"; do
        diff -u --label "a/$file" --label "b/$file" "$pristine/$file" "$tree/$file" || (( $? == 1 ))
    done
}
