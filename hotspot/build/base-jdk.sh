#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# Prints the JDK 25 that everything rests on: JAVA_HOME, else the usual places, else the distribution's package.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# is_base DIR: a whole JDK 25, and not one of our own views.
is_base() {
    [[ -x $1/bin/javac && -e $1/lib/modules && -e $1/lib/server/libjvm.so && -r $1/release ]] &&
        grep -Eq '^JAVA_VERSION="25[".]' "$1/release" && ! grep -q '^ZTERA_' "$1/release"
}

# candidates: folders to look at, best first. A JAVA_HOME that is a view stands for the JDK below it.
candidates() {
    if [[ -n ${JAVA_HOME:-} ]]; then
        sed -n 's/^ZTERA_BASE_JDK="\(.*\)"$/\1/p' "$JAVA_HOME/release" 2>/dev/null || true
        echo "$JAVA_HOME"
    fi
    local javac
    javac=$(readlink -f "$(command -v javac)" 2>/dev/null) && echo "${javac%/bin/javac}"
    printf '%s\n' /usr/lib/jvm/*25* /usr/java/*25* /opt/*jdk*25* /opt/java/*25* "${HOME:-/root}"/.sdkman/candidates/java/25*
}

find_base() {
    local dir
    while read -r dir; do
        is_base "$dir" && readlink -f "$dir" && return
    done < <(candidates)
    return 1
}

find_base && exit
if (( EUID == 0 )) && apt-cache show openjdk-25-jdk >/dev/null 2>&1; then
    "$ZTERA_ROOT/hotspot/build/require.sh" openjdk-25-jdk
    find_base && exit
fi
die "no JDK 25 found. Install one (Debian 13: apt-get install openjdk-25-jdk; or any other build of JDK 25, such as
  Eclipse Temurin's package temurin-25-jdk) or name one: JAVA_HOME=/path/to/jdk-25 make"
