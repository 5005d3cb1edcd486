#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# Prints the folder `test` of the JDK's own tests in the cache: hotspot/jtreg, jdk and what both need, from the source
# that HotSpot is built from, as hard links. Only the two TEST.ROOT differ: the suites ask for jtreg 8 (for tests in
# folders that we do not run), the distribution has 7.

source "$(dirname "${BASH_SOURCE[0]}")/../build/lib.sh"

jtreg_version=7.5+1
parts=(lib jtreg-ext setup_aot jdk hotspot/jtreg)
roots=(jdk/TEST.ROOT hotspot/jtreg/TEST.ROOT)

# make_suite TESTS ENTRY
make_suite() {
    local dir part root
    [[ ! -d $ZTERA_CACHE/$2 ]] || return 0
    dir=$(scratch jdk-tests)
    mkdir -p "$dir/test/hotspot"
    for part in "${parts[@]}"; do cp -al "$1/$part" "$dir/test/$part"; done
    for root in "${roots[@]}"; do
        rm "$dir/test/$root" # it is the pristine file, too
        sed "s/^requiredVersion=.*/requiredVersion=$jtreg_version/" "$1/$root" >"$dir/test/$root"
    done
    publish "$dir" "$2"
}

tests=$("$ZTERA_ROOT/hotspot/build/fetch-source.sh")/tree/test
entry=jdk-tests/suite-$({ echo "$tests"; cat "${BASH_SOURCE[0]}"; } | short_hash)
with_lock jdk-tests make_suite "$tests" "$entry"
echo "$ZTERA_CACHE/$entry/test"
