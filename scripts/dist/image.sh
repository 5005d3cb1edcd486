#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# image.sh DIR LIBJVM ENGINE: makes DIR, a whole JDK: the base JDK's modules, linked anew with our JVM and engine, and
# with our name where Java names its vendor. jlink keeps a list of an image's files with their hashes. So it must be
# jlink that puts our libraries in, or it would refuse to make an image from this one.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$ZTERA_ROOT/hotspot/build/archives.sh"

image=$1 libjvm=$2 engine=$3
base=$("$ZTERA_ROOT/hotspot/build/base-jdk.sh")
work=$(scratch image)
trap 'rm -rf "$work"' EXIT

write_modules() {
    mkdir -p "$work/lib/server" "$work/modules"
    cp "$libjvm" "$work/lib/server/libjvm.so"
    cp "$engine" "$work/lib/libztera.so"
    strip --strip-debug "$work/lib/libztera.so"
    "$base/bin/java" --add-modules jdk.jlink --add-exports jdk.jlink/jdk.tools.jlink.internal=ALL-UNNAMED \
        "$ZTERA_ROOT/scripts/dist/Modules.java" "$work/modules" "$work/lib" ZTera "ZTera-$version" "$bugs"
}

# link: with the options of the JDK's own build.
link() {
    "$base/bin/jlink" --module-path "$work/modules" --add-modules ALL-MODULE-PATH --generate-linkable-runtime \
        --dedup-legal-notices=error-if-not-same-content --output "$image" \
        "--order-resources=**module-info.class,@$base/lib/classlist,/java.base/java/**,/java.base/jdk/**,/java.base/sun/**,/java.base/com/**,/jdk.localedata/**"
}

# write_release: what the base JDK says of itself, without what was true of its own JVM and build.
write_release() {
    {
        sed -E '/^(IMPLEMENTOR|IMPLEMENTOR_VERSION|JVM_VERSION|FULL_VERSION|BUILD_[A-Z_]*)=/d' "$base/release"
        echo 'IMPLEMENTOR="ZTera"'
        echo "IMPLEMENTOR_VERSION=\"ZTera-$version\""
        echo "ZTERA_VERSION=\"$version\""
    } >"$image/release"
}

say "linking $package (base: $base)"
rm -rf "$image"
mkdir -p "${image%/*}"
run_logged "$ZTERA_CACHE/logs/dist-modules.log" "writing modules" no_count write_modules
run_logged "$ZTERA_CACHE/logs/dist-jlink.log" "linking" no_count link
write_release
touch -d "@$SOURCE_DATE_EPOCH" "$image/lib/modules" # archives note its time
dump_archives "$image" dist
