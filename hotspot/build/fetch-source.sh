#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# Prints the cache folder of the pristine OpenJDK source: tree/ (never written to) and version ("25.0.3+9"). It comes
# from $ZTERA_JDK_SOURCE (a tarball or a tree) or else, once, through apt: the one of openjdk-source.txt.
# `fetch-source.sh newest` asks apt for the newest, which is the default of this cache from then on.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# version_of TREE NAME: feature.interim.update from the tree, the build number from the name that the source came under.
version_of() {
    local conf=$1/make/conf/version-numbers.conf number build=0
    [[ -r $conf ]] || die "$2 is no OpenJDK source: it has no make/conf/version-numbers.conf"
    number=$(sed -n 's/^DEFAULT_VERSION_\(FEATURE\|INTERIM\|UPDATE\)=\([0-9]*\)$/\2/p' "$conf" | paste -sd.)
    [[ $number == 25.* ]] || die "$2 is OpenJDK $number; ZTera builds on OpenJDK 25"
    [[ $2 =~ \+([0-9]+) || $2 =~ -([0-9]+)$ ]] && build=${BASH_REMATCH[1]} # openjdk-25-25.0.3+9, jdk25u-jdk-25.0.3-9
    echo "$number+$build"
}

# add SHA NAME UNPACK ARGUMENT...: the command unpacks the source into the folder given as its last argument.
add() {
    local sha=$1 name=$2 dir entry
    shift 2
    entry=source/${sha:0:16}
    if [[ ! -d $ZTERA_CACHE/$entry ]]; then
        dir=$(scratch source)
        mkdir "$dir/tree"
        say "unpacking $name"
        "$@" "$dir/tree"
        version_of "$dir/tree" "$name" >"$dir/version"
        publish "$dir" "$entry"
    fi
    echo "$ZTERA_CACHE/$entry"
}

unpack_tarball() { tar -xf "$1" --strip-components=1 -C "$2"; }
copy_tree() { tar -C "$1" --exclude=./build --exclude=./.git -cf - . | tar -xf - -C "$2"; }

from_tarball() { add "$(sha256sum "$1" | cut -d' ' -f1)" "$(tarball_name "$1")" unpack_tarball "$1"; }

# tarball_name FILE: the name of its top folder, which carries the version ("openjdk-25-25.0.3+9").
tarball_name() { (tar -tf "$1" 2>/dev/null || true) | head -n 1 | cut -d/ -f1; }

from_tree() {
    local sha
    sha=$(cd "$1" && find . \( -path ./build -o -path ./.git \) -prune -o -type f -printf '%P %s %T@\n' | sort | sha256sum)
    add "$sha" "${1##*/}" copy_tree "$1"
}

# from_apt [newest]
from_apt() {
    local default=$ZTERA_CACHE/source/default dir tarball entry
    if [[ ! -e $default/version || ${1:-} == newest ]]; then
        dir=$(scratch apt)
        tarball=$("$ZTERA_ROOT/hotspot/build/apt-source.sh" "$dir" "$@")
        entry=$(from_tarball "$tarball")
        rm -rf "$dir"
        ln -sfn "${entry##*/}" "$default"
    fi
    readlink -f "$default"
}

given=${ZTERA_JDK_SOURCE:-}
if [[ -z $given ]]; then
    with_lock source from_apt "$@"
elif [[ -d $given ]]; then
    with_lock source from_tree "$(readlink -f "$given")"
elif [[ -f $given ]]; then
    with_lock source from_tarball "$given"
else
    die "ZTERA_JDK_SOURCE=$given is neither a file nor a folder"
fi
