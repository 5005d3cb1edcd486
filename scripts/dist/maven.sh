#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# maven.sh DIR: makes DIR, a Maven repository with the API and the Spark plugin. Maven itself would deploy them with the
# time of day, and with a parent that users do not need.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

repository=$1
here=$ZTERA_ROOT/scripts/dist

# add ID NAME: build/ID.jar as an artifact, with what Maven wants beside it.
add() {
    local folder=$repository/org/ztera/$1/$version file
    mkdir -p "$folder"
    cp "$ZTERA_ROOT/build/$1.jar" "$folder/$1-$version.jar"
    sed "s/@ID@/$1/; s/@VERSION@/$version/; s/@NAME@/$2/" "$here/files/artifact.pom" >"$folder/$1-$version.pom"
    for file in "$folder/$1-$version".{jar,pom}; do
        sha1sum <"$file" | cut -d' ' -f1 >"$file.sha1"
    done
}

add ztera-api "ZTera API"
add ztera-spark_2.13 "ZTera plugin for Apache Spark"
