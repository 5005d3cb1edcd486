#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# maven.sh DIR: makes DIR, a Maven repository with the API, the meters and the Spark plugin. Maven itself would deploy
# them with the time of day, and with a parent that users do not need.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

repository=$1
here=$ZTERA_ROOT/scripts/dist

# add ID NAME [DEPENDENCY]: build/ID.jar as an artifact, with what Maven wants beside it. DEPENDENCY is another of ours.
add() {
    local folder=$repository/org/ztera/$1/$version file needs=
    [[ -z ${3:-} ]] || needs="<dependency><groupId>org.ztera<\/groupId><artifactId>$3<\/artifactId><version>$version<\/version><\/dependency>"
    mkdir -p "$folder"
    cp "$ZTERA_ROOT/build/$1.jar" "$folder/$1-$version.jar"
    sed "s/@ID@/$1/; s/@VERSION@/$version/; s/@NAME@/$2/; s/@NEEDS@/$needs/" "$here/files/artifact.pom" >"$folder/$1-$version.pom"
    for file in "$folder/$1-$version".{jar,pom}; do
        sha1sum <"$file" | cut -d' ' -f1 >"$file.sha1"
    done
}

add ztera-api "ZTera API"
add ztera-micrometer "ZTera meters for Micrometer" ztera-api
add ztera-spark_2.13 "ZTera plugin for Apache Spark"
