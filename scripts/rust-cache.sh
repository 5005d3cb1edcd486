#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# rust-cache.sh take|keep: compiled crates of others, in the cache that all clones share. A fresh clone would compile
# them again, once per profile, which takes longer than our own.
#
# take: a clone without a target folder gets them. keep: those of this clone are kept, unless some of the same compiler,
# Cargo.lock and profiles are. Cargo itself tells whether it can use a file, as names and times stay.

source "$(dirname "${BASH_SOURCE[0]}")/../hotspot/build/lib.sh"

target=$ZTERA_ROOT/target

entry() { echo "rust/$(cd "$ZTERA_ROOT" && { rustc -vV && cat Cargo.lock Cargo.toml; } | short_hash)"; }

# others: files of crates of others. Ours begin with `ztera`, and a test program is no library.
others() {
    find {,*/}{debug,release}/{.fingerprint,build,deps} \( -name 'ztera*' -o -name 'libztera*' \) -prune -o \
        -path '*/deps/*' ! -name 'lib*.r*' ! -name 'lib*.so' -prune -o -type f -print0
}

take() {
    local entry new=$target.$$
    entry=$(entry)
    [[ ! -e $target && -d $ZTERA_CACHE/$entry ]] || return 0
    say "taking compiled crates from the cache"
    cp -a --reflink=auto "$ZTERA_CACHE/$entry" "$new"
    mv -T "$new" "$target"
}

# keep: one entry, in place of those of another compiler or Cargo.lock. The last profile to be compiled is there.
keep() {
    local entry new
    entry=$(entry)
    [[ ! -d $ZTERA_CACHE/$entry && -e $target/inject/release/libztera_inject.so && -d $target/debug ]] || return 0
    say "keeping compiled crates in the cache"
    new=$(scratch rust)
    (cd "$target" && others) | tar -C "$target" --null --files-from=- --format=posix -cf - | tar -C "$new" -xf -
    rm -rf "$ZTERA_CACHE/rust"
    publish "$new" "$entry"
}

[[ $1 == keep || ! -e $target ]] || exit 0
with_lock rust "$1"
