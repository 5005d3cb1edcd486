#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# clean-root.sh SUITE: prints a tarball of the smallest system that Debian's SUITE can be. Made once per cache.

source "$(dirname "${BASH_SOURCE[0]}")/../../hotspot/build/lib.sh"

suite=$1
entry=roots/$suite

make_root() {
    local new
    [[ ! -d $ZTERA_CACHE/$entry ]] || return 0
    "$ZTERA_ROOT/hotspot/build/require.sh" mmdebstrap
    say "making a root of Debian $suite"
    new=$(scratch root)
    run_logged "$ZTERA_CACHE/logs/root-$suite.log" "root of $suite" no_count \
        mmdebstrap --quiet --variant=essential "$suite" "$new/root.tar"
    publish "$new" "$entry"
}

with_lock "root-$suite" make_root
echo "$ZTERA_CACHE/$entry/root.tar"
