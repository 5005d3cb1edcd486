#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# rust-cache.sh take|keep: compiled crates of others, in the cache that all clones share. A fresh clone would compile
# them again, which takes longer than our own.
#
# take: a clone without a target folder gets them. keep: those of this clone are kept, unless some of the same compiler
# and the same Cargo.lock are. Cargo tells by itself whether it can use them; their times and names stay as they were.

source "$(dirname "${BASH_SOURCE[0]}")/../hotspot/build/lib.sh"

target=${CARGO_TARGET_DIR:-$ZTERA_ROOT/target}
entry=rust/$({ rustc -vV && cat "$ZTERA_ROOT/Cargo.lock" "$ZTERA_ROOT/Cargo.toml"; } | short_hash)

# others: files of crates of others. Ours begin with `ztera`, and test programs are no libraries.
others() {
    find {debug,release}/{.fingerprint,build,deps} \( -name 'ztera*' -o -name 'libztera*' \) -prune -o \
        -path '*/deps/*' ! -name 'lib*.r*' ! -name 'lib*.so' -prune -o -type f -print0
}

take() {
    local new=$target.$$
    [[ ! -e $target && -d $ZTERA_CACHE/$entry ]] || return 0
    say "taking compiled crates from the cache"
    cp -a --reflink=auto "$ZTERA_CACHE/$entry" "$new"
    mv -T "$new" "$target" 2>/dev/null || rm -rf "$new"
}

# keep: instead of those of another compiler or Cargo.lock.
keep() {
    local new
    [[ ! -d $ZTERA_CACHE/$entry && -d $target/debug && -d $target/release ]] || return 0
    new=$(scratch rust)
    (cd "$target" && others) | tar -C "$target" --null --files-from=- --format=posix -cf - | tar -C "$new" -xf -
    rm -rf "$ZTERA_CACHE/rust"
    publish "$new" "$entry"
}

with_lock rust "$1"
