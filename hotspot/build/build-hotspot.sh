#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# build-hotspot.sh release|fastdebug: prints the cache folder that holds our libjvm.so, which it builds when no one has
# built this content before. The folder's name is a hash of all that goes in: source, overlay, hooks, configure line,
# boot JDK, compiler, and the glibc that it is linked against.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$ZTERA_ROOT/hotspot/build/patch.sh"
source "$ZTERA_ROOT/hotspot/build/tree.sh"

level=${1:-}
check_level "$level"
log=$ZTERA_CACHE/logs/hotspot-$level.log
scripts=$ZTERA_ROOT/hotspot/build
export CCACHE_DIR=${CCACHE_DIR:-$ZTERA_CACHE/ccache} CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-10G}
unset MAKEFLAGS MFLAGS MAKELEVEL # the JDK's make chooses its own

# Configure checks for this, though HotSpot alone needs little of it.
packages=(autoconf ccache file g++ make patch unzip xz-utils zip libasound2-dev libcups2-dev libfontconfig-dev
    libfreetype-dev libx11-dev libxext-dev libxi-dev libxrandr-dev libxrender-dev libxt-dev libxtst-dev)

source=$("$scripts/fetch-source.sh")
base=$("$scripts/base-jdk.sh")
glibc=$("$scripts/old-glibc.sh")
work=$ZTERA_CACHE/work/${source##*/}
built=$work/tree/build/$level/support/modules_libs/java.base/server/libjvm.so
version=$(<"$source/version")
# As the base JDK's version ends ("25.0.3+9-LTS"), because its tools warn of a VM of another version than theirs.
version_opt=$(sed -nE 's/^JAVA_RUNTIME_VERSION="[^+]*[+][0-9]*-?(.*)"/\1/p' "$base/release")
options=("--with-conf-name=$level" "--with-debug-level=$level" "--with-boot-jdk=$base" --with-jvm-variants=server
    --enable-ccache --disable-warnings-as-errors --with-native-debug-symbols=none --enable-headless-only
    --with-version-pre= "--with-version-build=${version#*+}" "--with-version-opt=$version_opt" --with-vendor-name=ZTera)
# A VM for H2's assertions has no use for collectors that H2 does not know, for Flight Recorder and for compilers in
# Java: a quarter of the files. Tests of these run on the release view.
[[ $level == release ]] || options+=(--with-jvm-features="-zgc,-shenandoahgc,-epsilongc,-jfr,-jvmci")
# Nor is it fast: its files compile sooner without most optimisations. The precompiled header takes the option for C.
make_options=()
[[ $level == release ]] || make_options=(C_O_FLAG_HIGHEST_JVM=-O1 CXX_O_FLAG_HIGHEST_JVM=-O1)

# toolchain: what besides the tree decides what the compiler makes of it.
toolchain() {
    printf '%s\n' "${options[@]}" "${make_options[@]}"
    cat "$base/release"
    g++ --version 2>/dev/null | head -n 1 || true
}

# entry HASH: the cache entry for a work tree of that content.
entry() { echo "hotspot/$level-$({ echo "$1"; toolchain; echo "${glibc##*/}"; } | short_hash)"; }

# compiled: progress for run_logged. The JDK's make tells how many files there are only when it starts from nothing.
compiled() {
    local objects=$work/tree/build/$level/hotspot/variant-server/libjvm/objs count total
    [[ -d $objects ]] || return 0
    count=$(find "$objects" -name '*.o' -newer "$work/started-$level" | wc -l)
    total=$(sed -n 's/.*libjvm.so from \([0-9]*\) file.*/\1/p' "$log" | tail -n 1)
    if (( ${total:-0} > count )); then echo "$count of $total files, "; else echo "$count files, "; fi
}

# configure_tree: configures when the options or tools are not those of the last time, or when the last make was killed:
# it may have left half an object file that looks finished. (ccache has the whole ones.)
configure_tree() {
    local done=$work/configured-$level
    [[ ! -e $work/making-$level ]] && toolchain | cmp -s - "$done" && return
    rm -rf "$work/tree/build/$level" "$work/making-$level" "$done"
    (cd "$work/tree" && run_logged "$log" "configure $level" no_count bash configure "${options[@]}")
    toolchain >"$done"
}

# make_tree: make, and a file that stays behind if make does not come to its own end. It links in any case, as make does
# not see when glibc is another. gcc finds the linker in COMPILER_PATH.
make_tree() {
    touch "$work/making-$level"
    local status=0
    rm -f "$built"
    COMPILER_PATH=$glibc make -C "$work/tree" hotspot "CONF=$level" LOG=warn "${make_options[@]}" || status=$?
    rm "$work/making-$level"
    return $status
}

# build: makes the cache entry, under the work tree's lock. Prints its name.
build() {
    local result name
    lay_files "$source" "$work"
    name=$(entry "$(laid_hash "$source" "$work")")
    if [[ ! -d $ZTERA_CACHE/$name ]]; then
        configure_tree
        touch "$work/started-$level"
        run_logged "$log" "hotspot $level" compiled make_tree
        result=$(scratch hotspot)
        cp "$built" "$result/"
        publish "$result" "$name"
        keep_newest 8
    fi
    echo "$name"
}

# keep_newest N: removes the entries of this level that were used longest ago.
keep_newest() {
    local entries
    mapfile -t entries < <(ls -dt "$ZTERA_CACHE/hotspot/$level"-*)
    rm -rf "${entries[@]:$1}"
}

name=$(entry "$(wanted_hash "$source")")
if [[ ! -d $ZTERA_CACHE/$name ]]; then
    "$scripts/require.sh" "${packages[@]}"
    say "building HotSpot $level, OpenJDK $version (log: $log)"
    name=$(with_lock "work-${source##*/}" build)
fi
touch "$ZTERA_CACHE/$name"
echo "$ZTERA_CACHE/$name"
