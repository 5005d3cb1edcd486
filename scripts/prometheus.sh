#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# prometheus.sh: links build/prometheus to a folder with `prometheus` and `promtool` of the distribution's package, for
# tests. The package is unpacked in the cache and not installed, as its installation starts a server.

source "$(dirname "${BASH_SOURCE[0]}")/../hotspot/build/lib.sh"

# entry: the folder in the cache, of this release of the distribution.
entry=prometheus/$(. /etc/os-release && echo "$ID-${VERSION_ID:-}")

download() {
    cd "$1"
    apt-get download -q prometheus || { (( EUID == 0 )) && apt-get update -q && apt-get download -q prometheus; }
    dpkg -x prometheus_*.deb .
}

unpack() {
    local dir
    [[ ! -d $ZTERA_CACHE/$entry ]] || return 0
    dir=$(scratch prometheus)
    run_logged "$ZTERA_CACHE/logs/prometheus.log" "fetching Prometheus" no_count download "$dir"
    publish "$dir/usr/bin" "$entry"
    rm -rf "$dir"
}

with_lock prometheus unpack
mkdir -p "$ZTERA_ROOT/build"
ln -sfn "$ZTERA_CACHE/$entry" "$ZTERA_ROOT/build/prometheus"
