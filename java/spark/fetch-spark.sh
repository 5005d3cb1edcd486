#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# fetch-spark.sh: prints the SPARK_HOME of the Spark that the plugin is tested with, and fetches it first if the cache
# has none. The source package of PySpark is a whole distribution; pip takes it from whatever index it is configured
# with.

source "$(dirname "${BASH_SOURCE[0]}")/../../hotspot/build/lib.sh"

version=4.3.0
sha256=e8c517948eff7088a7aa07449aa8eafa4a15a8d50319de2525a6fd26622476c6
entry=spark/$version-${sha256:0:16}

download() {
    python3 -m pip --version >/dev/null 2>&1 || "$ZTERA_ROOT/hotspot/build/require.sh" python3-pip python3-setuptools
    echo "pyspark==$version --hash=sha256:$sha256" >"$1/requirements.txt"
    run_logged "$ZTERA_CACHE/logs/spark.log" "fetching Spark $version (430 MiB)" no_count \
        python3 -m pip download --quiet --no-deps --no-binary pyspark --dest "$1" --requirement "$1/requirements.txt"
}

# The layout of Apache's own archive.
lay_out() {
    local package=$1/pyspark-$version
    mkdir -p "$1/home/python"
    tar -xzf "$package.tar.gz" -C "$1" "pyspark-$version/deps/"{bin,sbin,jars} "pyspark-$version/"{lib,pyspark}
    mv "$package/deps/"{bin,sbin,jars} "$1/home/"
    mv "$package/"{pyspark,lib} "$1/home/python/"
    chmod +x "$1/home/"{bin,sbin}/*
}

fetch() {
    local dir
    [[ ! -d $ZTERA_CACHE/$entry ]] || return 0
    dir=$(scratch spark)
    download "$dir"
    lay_out "$dir"
    publish "$dir/home" "$entry"
    rm -rf "$dir"
}

with_lock spark fetch
echo "$ZTERA_CACHE/$entry"
