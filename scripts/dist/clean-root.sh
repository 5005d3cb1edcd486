#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# clean-root.sh SUITE [PACKAGE]: prints a tarball of the smallest system that Debian's SUITE can be, with PACKAGE. Made
# once per cache.

source "$(dirname "${BASH_SOURCE[0]}")/../../hotspot/build/lib.sh"

suite=$1 package=${2:-}
entry=roots/$suite${package:+-$package}

make_root() {
    local new
    [[ ! -d $ZTERA_CACHE/$entry ]] || return 0
    "$ZTERA_ROOT/hotspot/build/require.sh" mmdebstrap
    say "making a root of Debian $suite${package:+ with $package}"
    new=$(scratch root)
    # A mirror may be behind with a suite that changes each day.
    run_logged "$ZTERA_CACHE/logs/root-$suite.log" "root of $suite" no_count \
        mmdebstrap --quiet --aptopt='Acquire::Check-Valid-Until "false"' --variant=essential ${package:+--include="$package"} "$suite" "$new/root.tar"
    publish "$new" "$entry"
}

with_lock "root-$suite" make_root
echo "$ZTERA_CACHE/$entry/root.tar"
