#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# cargo-tool.sh NAME VERSION [OPTION...]: prints the path of a tool of crates.io, in just that version. Builds it into
# the cache, with OPTIONs for `cargo install`, where it is missing. It runs for seconds and takes minutes to optimise:
# it is built without.

source "$(dirname "${BASH_SOURCE[0]}")/../hotspot/build/lib.sh"
name=$1 version=$2
shift 2
entry=cargo/$name-$version

build() {
    local tmp
    [[ ! -x $ZTERA_CACHE/$entry/bin/$name ]] || return 0
    tmp=$(scratch "$name")
    run_logged "$ZTERA_CACHE/logs/$name.log" "building $name $version" no_count \
        cargo install --quiet --locked --debug --root "$tmp/root" --target-dir "$tmp/target" "$@" "$name@$version"
    publish "$tmp/root" "$entry"
    rm -rf "$tmp"
}

with_lock "$name" build "$@"
echo "$ZTERA_CACHE/$entry/bin/$name"
