#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# tree.sh DIR: makes DIR, the folder that the package unpacks to: the JDK, the command with its manual, the jars, also
# as artifacts of Maven, an example, licences, and the list of all that is in it. All files carry one time.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tree=$1
here=$ZTERA_ROOT/scripts/dist
build=$ZTERA_ROOT/build
base=$("$ZTERA_ROOT/hotspot/build/base-jdk.sh")

add_command() {
    cp "$build/ztera" "$tree/bin/ztera"
    strip --strip-debug "$tree/bin/ztera"
    mkdir -p "$tree/man/man1" "$tree/share/completions"
    "$build/ztera" manual --man "$tree/man/man1" --completions "$tree/share/completions"
}

add_jars() {
    mkdir -p "$tree/lib/ztera"
    cp "$build"/ztera-{api,demo,micrometer}.jar "$build/ztera-spark_2.13.jar" "$tree/lib/ztera/"
    "$here/maven.sh" "$tree/maven"
}

# add_example: its source and a jar that finds the API beside itself.
add_example() {
    local classes
    classes=$(scratch example)
    mkdir -p "$tree/example"
    cp "$here/example/Example.java" "$tree/example/"
    "$base/bin/javac" -cp "$build/ztera-api.jar" -d "$classes" "$here/example/Example.java"
    printf 'Main-Class: Example\nClass-Path: ../lib/ztera/ztera-api.jar\n' >"$classes.manifest"
    "$base/bin/jar" --create --file "$tree/example/example.jar" --manifest "$classes.manifest" \
        --date "$(date -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" -C "$classes" .
    rm -r "$classes" "$classes.manifest"
}

add_documents() {
    cp "$ZTERA_ROOT"/{CHANGELOG.md,LICENSE,LICENSE-MIT,LICENSE-APACHE} "$tree/"
    cp "$here/files/BUGS.md" "$tree/"
    sed "s/@PACKAGE@/$package/g; s/@VERSION@/$version/g" "$here/files/README.md" >"$tree/README.md"
    [[ ! -e $base/NOTICE ]] || cp "$base/NOTICE" "$tree/legal/NOTICE-of-the-base-JDK"
    mkdir -p "$tree/legal/ztera"
    python3 "$here/contents.py" "$tree" "$version" "$SOURCE_DATE_EPOCH"
}

"$here/image.sh" "$tree" "$build/jdk/lib/server/libjvm.so" "$build/libztera.so"
add_command
add_jars
add_example
add_documents
find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
