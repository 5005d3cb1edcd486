# shellcheck shell=bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# dump_archives HOME LABEL: the CDS archives of a JDK, as the JDK's own build dumps them.

dump_archive() {
    local home=$1 label=$2 name=$3
    shift 3
    run_logged "$ZTERA_CACHE/logs/cds-$label$name.log" "dumping the CDS archive classes$name.jsa" no_count "$home/bin/java" -Xshare:dump \
        -XX:SharedArchiveFile="$home/lib/server/classes$name.jsa" -Xmx128M -Xms128M -XX:+UseG1GC -XX:+UnlockExperimentalVMOptions "$@"
}

dump_archives() {
    say "dumping CDS archives for $2"
    dump_archive "$@" "" -XX:+UseCompressedOops -XX:-UseCompactObjectHeaders
    dump_archive "$@" _nocoops -XX:-UseCompressedOops -XX:-UseCompactObjectHeaders
    dump_archive "$@" _coh -XX:+UseCompressedOops -XX:+UseCompactObjectHeaders
    dump_archive "$@" _nocoops_coh -XX:-UseCompressedOops -XX:+UseCompactObjectHeaders
}
