#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# make-view.sh release|fastdebug [LIBJVM]: makes the JDK view build/jdk or build/jdk-fastdebug and prints its path. A
# view is a JAVA_HOME made of links to the base JDK, but with files of its own where it must differ or must be found by
# its real
# path: bin/* and libjli.so (a launcher finds its JAVA_HOME from where its file lies), libjvm.so (ours, or LIBJVM),
# libztera.so, jvm.cfg, release, and CDS archives dumped by this very libjvm.so (the VM itself cannot tell an archive of
# an earlier build of the same version).

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$ZTERA_ROOT/hotspot/build/archives.sh"

level=${1:-}
check_level "$level"
scripts=$ZTERA_ROOT/hotspot/build
view=$ZTERA_ROOT/build/jdk
[[ $level == release ]] || view+=-$level
base=$("$scripts/base-jdk.sh")
libjvm=${2:-$("$scripts/build-hotspot.sh" "$level")/libjvm.so}

# property NAME: a value of the base JDK's release file.
property() { sed -n "s/^$1=\"\(.*\)\"$/\1/p" "$base/release"; }

# link_base DIR: all of the base JDK, as links; the folders with files of our own as folders.
link_base() {
    local entry
    mkdir -p "$1/bin" "$1/lib/server"
    for entry in "$base"/*; do [[ $entry == */bin || $entry == */lib || $entry == */release ]] || ln -s "$entry" "$1/"; done
    for entry in "$base"/lib/*; do [[ $entry == */server ]] || ln -s "$entry" "$1/lib/"; done
    ln -s "$base/lib/server/libjsig.so" "$1/lib/server/"
}

# write_release FILE: names the product; ZTERA_BASE_JDK leads base-jdk.sh from a view to its base.
write_release() {
    {
        sed -E '/^(IMPLEMENTOR|IMPLEMENTOR_VERSION|JVM_VERSION|FULL_VERSION|BUILD_INFO)=/d' "$base/release"
        echo 'IMPLEMENTOR="ZTera"'
        echo "IMPLEMENTOR_VERSION=\"ZTera on $(property IMPLEMENTOR_VERSION)\""
        echo "ZTERA_BASE_JDK=\"$base\""
        echo "ZTERA_LEVEL=\"$level\""
    } >"$1"
}

# add_archives VIEW KEY: from the cache when these very files were dumped before.
add_archives() {
    local entry=cds/$level-$2 new
    if [[ ! -d $ZTERA_CACHE/$entry ]]; then
        dump_archives "$1" "$level"
        new=$(scratch cds)
        cp "$1"/lib/server/*.jsa "$new/"
        publish "$new" "$entry"
    else
        cp --reflink=auto "$ZTERA_CACHE/$entry"/*.jsa "$1/lib/server/"
    fi
}

# new_view DIR KEY: a whole view in an empty folder.
new_view() {
    link_base "$1"
    cp -L "$base"/bin/* "$1/bin/"
    cp -L --remove-destination "$base/lib/libjli.so" "$base/lib/jvm.cfg" "$1/lib/"
    cp "$libjvm" "$1/lib/server/libjvm.so"
    write_release "$1/release"
    add_archives "$1" "$2"
    echo "$2" >"$1/.ztera-view"
}

# add_engine DIR: puts the engine in place by a rename, since running VMs have the old file mapped.
add_engine() {
    local engine=$ZTERA_ROOT/build/libztera.so
    [[ -e $engine ]] || { say "no build/libztera.so yet: this view has no engine"; return; }
    cmp -s "$engine" "$1/lib/libztera.so" && return
    cp "$engine" "$1/lib/.libztera.so.$$"
    mv "$1/lib/.libztera.so.$$" "$1/lib/libztera.so"
}

# replace_view KEY: builds the new view beside the old one, then swaps them.
replace_view() {
    local new
    mkdir -p "${view%/*}"
    new=$(mktemp -d "$view.new.XXXXXX")
    chmod 755 "$new"
    new_view "$new" "$1"
    add_engine "$new"
    [[ ! -e $view ]] || mv -T "$view" "$new.old"
    mv -T "$new" "$view"
    rm -rf "$new.old"
}

# update: brings the view up to date.
update() {
    local key
    key=$({ sha256sum <"$libjvm"; echo "$base"
        stat -Lc '%s %Y' "$base/lib/modules" "$base/release"
        cat "$scripts/make-view.sh" "$scripts/archives.sh" | sha256sum; } | short_hash)
    if [[ $(cat "$view/.ztera-view" 2>/dev/null) == "$key" ]]; then
        add_engine "$view"
    else
        replace_view "$key"
    fi
}

source=$("$scripts/fetch-source.sh")
[[ $(<"$source/version") == "$(property JAVA_VERSION)"+* ]] ||
    say "note: the base JDK is $(property JAVA_VERSION), HotSpot is built from $(<"$source/version")"
with_lock "view-$(echo "$view" | short_hash)" update
echo "$view"
