#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# The build scripts, on a toy source tree that "compiles" in no time, with a cache and a clone of their own: what is
# built when, what an interrupted or failed build leaves behind, and what the messages say.

set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/check.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export ZTERA_CACHE=$tmp/cache
toy=$tmp/openjdk-25-25.0.9+7
export ZTERA_JDK_SOURCE=$tmp/toy.tar.xz

# new_toy: an OpenJDK tree of four files. Its make writes down that it ran and joins the sources into libjvm.so; a
# source that says "broken" stops it, one that says "slow" makes it wait.
new_toy() {
    mkdir -p "$toy/make/conf" "$toy/src/hotspot/share"
    printf 'DEFAULT_VERSION_FEATURE=25\nDEFAULT_VERSION_INTERIM=0\nDEFAULT_VERSION_UPDATE=9\n' >"$toy/make/conf/version-numbers.conf"
    printf 'one\ntwo\nthree\n' >"$toy/src/hotspot/share/stock.cpp"
    cat >"$toy/configure" <<'SH'
name=$(printf '%s\n' "$@" | sed -n 's/--with-conf-name=//p')
mkdir -p "build/$name"
echo configured >>"$ZTERA_CACHE/events"
SH
    cat >"$toy/Makefile" <<'MK'
lib = build/$(CONF)/support/modules_libs/java.base/server
hotspot:
	@echo "built $(CONF)" >>$(ZTERA_CACHE)/events
	@if grep -rqs slow src; then touch $(ZTERA_CACHE)/sleeping; sleep 60; fi
	@! grep -rns broken src
	@mkdir -p $(lib) && find src -type f | sort | xargs cat >$(lib)/libjvm.so
.PHONY: hotspot
MK
    tar -C "$tmp" -cJf "$ZTERA_JDK_SOURCE" "${toy##*/}"
}

# new_clone NAME: a clone with one overlay file and one hook.
new_clone() {
    mkdir -p "$tmp/$1/hotspot/src/hotspot/share/gc/h2"
    cp -r "$here/../build" "$tmp/$1/hotspot/"
    echo "overlay 1" >"$tmp/$1/hotspot/src/hotspot/share/gc/h2/h2.cpp"
    printf '%s\n' '--- a/src/hotspot/share/stock.cpp' '+++ b/src/hotspot/share/stock.cpp' '@@ -1,3 +1,4 @@' ' one' '+hook' ' two' ' three' \
        >"$tmp/$1/hotspot/hooks.patch"
}

script() { "$tmp/$1/hotspot/build/$2.sh" "${@:3}"; }
build() { script "$1" build-hotspot release; }
builds() { grep -c '^built' "$ZTERA_CACHE/events"; }
entries() { find "$ZTERA_CACHE/hotspot" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l; }
edit() { echo "$2" >"$tmp/$1/hotspot/src/hotspot/share/gc/h2/h2.cpp"; }

the_tree() {
    local tree before
    prints "the version comes from tree and tarball name" '^25\.0\.9\+7$' bash -c "cat \$('$tmp/a/hotspot/build/fetch-source.sh')/version"
    tree=$(script a prepare-tree 2>/dev/null)
    prints "the overlay is laid" '^overlay 1$' cat "$tree/src/hotspot/share/gc/h2/h2.cpp"
    prints "the hooks are applied" '^hook$' cat "$tree/src/hotspot/share/stock.cpp"
    before=$(stat -c %y "$tree/src/hotspot/share/stock.cpp" "$tree/src/hotspot/share/gc/h2/h2.cpp")
    echo more >"$tmp/a/hotspot/src/hotspot/share/gc/h2/h2More.cpp"
    script a prepare-tree >/dev/null 2>&1
    prints "files that did not change are not touched" '^same$' \
        bash -c "[[ '$before' == \"\$(stat -c %y '$tree/src/hotspot/share/stock.cpp' '$tree/src/hotspot/share/gc/h2/h2.cpp')\" ]] && echo same"
    holds "a new overlay file is laid" test -e "$tree/src/hotspot/share/gc/h2/h2More.cpp"
    rm "$tmp/a/hotspot/src/hotspot/share/gc/h2/h2More.cpp"
    mv "$tmp/a/hotspot/hooks.patch" "$tmp/hooks"
    script a prepare-tree >/dev/null 2>&1
    holds "an overlay file that went away goes" test ! -e "$tree/src/hotspot/share/gc/h2/h2More.cpp"
    holds "a stock file without hooks is the stock file" cmp "$toy/src/hotspot/share/stock.cpp" "$tree/src/hotspot/share/stock.cpp"
    mv "$tmp/hooks" "$tmp/a/hotspot/hooks.patch"
}

the_patch() {
    local tree
    tree=$(script a prepare-tree 2>/dev/null)
    holds "the patch is fresh" script a refresh-patch --check
    sed -i 's/^three$/three\nanother hook/' "$tree/src/hotspot/share/stock.cpp"
    script a refresh-patch "$tree" 2>/dev/null
    prints "refresh-patch takes an edit of a stock file" '^\+another hook$' cat "$tmp/a/hotspot/hooks.patch"
    prints "refresh-patch leaves the overlay out" '^1$' grep -c '^+++ ' "$tmp/a/hotspot/hooks.patch"
    sed -i 's/^ two$/ 2/' "$tmp/a/hotspot/hooks.patch"
    refuses "hooks that do not apply: the message names file and version" 'OpenJDK 25\.0\.9\+7: src/hotspot/share/stock\.cpp' script a prepare-tree
    sed -i 's/^ 2$/ two/; /another/d; s/+1,5/+1,4/' "$tmp/a/hotspot/hooks.patch"
}

the_cache() {
    local result
    result=$(build a 2>/dev/null)
    prints "a build makes libjvm.so" '^overlay 1$' cat "$result/libjvm.so"
    prints "the same content is not built again" "^$result$" build a
    prints "nor in another clone" "^$result$" build b
    prints "it was built once" '^1$' builds
    edit a "overlay 2"
    holds "an edit is built" build a
    edit a "overlay 1"
    prints "going back finds the earlier result" "^$result$" build a
    prints "two contents, two builds, one configure" '^1$' grep -c configured "$ZTERA_CACHE/events"
    edit a "overlay broken"
    refuses "a failed build says where the log is" 'the whole log: .*hotspot-release\.log' build a
    prints "and leaves no entry" '^2$' entries
    refuses "an unknown level is refused" 'release or fastdebug' script a build-hotspot slowdebug
}

interruption() {
    local pid
    edit a slow
    rm -f "$ZTERA_CACHE/sleeping"
    setsid "$tmp/a/hotspot/build/build-hotspot.sh" release >/dev/null 2>&1 &
    pid=$!
    until [[ -e $ZTERA_CACHE/sleeping ]] || ! kill -0 $pid; do sleep 0.1; done
    kill -TERM -- "-$pid"
    wait $pid
    prints "an interrupted build leaves no entry" '^2$' entries
    edit a "overlay 3"
    holds "and the next one succeeds" build a
    prints "from the start, since objects may be half-written" '^2$' grep -c configured "$ZTERA_CACHE/events"
}

together() {
    local before
    before=$(builds)
    edit a "overlay 4"
    edit b "overlay 4"
    build a >"$tmp/out-a" 2>/dev/null &
    build b >"$tmp/out-b" 2>/dev/null
    wait $!
    prints "two builds at once end with the same result" '^same$' bash -c "cmp '$tmp/out-a' '$tmp/out-b' && [[ -s '$tmp/out-a' ]] && echo same"
    prints "which was built once" "^$((before + 1))$" builds
}

rust_cache() { "$tmp/$1/scripts/rust-cache.sh" "$2" 2>/dev/null; }

# Crates of others are compiled once for all clones.
compiled_crates() {
    local clone target=$tmp/a/target kept=debug/deps/libserde-1.rlib
    for clone in a b; do
        mkdir -p "$tmp/$clone/scripts"
        cp "$here/../../scripts/rust-cache.sh" "$tmp/$clone/scripts/"
        touch "$tmp/$clone/Cargo.lock" "$tmp/$clone/Cargo.toml"
    done
    mkdir -p "$target"/{debug,release,inject/release}/{.fingerprint,build,deps}
    touch -d yesterday "$target"/debug/deps/{libserde-1.rlib,libztera_range-1.rlib,model-1} "$target/inject/release/deps/liblibc-1.rmeta"
    rust_cache a keep
    holds "no crate is kept before all profiles were compiled" test ! -e "$ZTERA_CACHE/rust"
    touch "$target/inject/release/libztera_inject.so"
    holds "crates are kept" rust_cache a keep
    holds "another clone takes them" rust_cache b take
    prints "those of others alone, of each profile" "^$kept inject/release/deps/liblibc-1.rmeta$" \
        bash -c "find '$tmp/b/target' -type f -printf '%P\n' | sort | xargs"
    prints "with their times" '^same$' bash -c "[[ ! '$tmp/b/target/$kept' -nt '$target/$kept' ]] && echo same"
    rm "$tmp/b/target/$kept"
    rust_cache b take
    holds "a clone that has compiled takes none" test ! -e "$tmp/b/target/$kept"
    echo "another version" >"$tmp/a/Cargo.lock"
    rust_cache a keep
    prints "there is one entry, that of the last Cargo.lock" '^1$' bash -c "ls '$ZTERA_CACHE/rust' | wc -l"
}

# The lists are made from apt's own; here, from one of each format.
source_lists() {
    local awk=(awk -v type=deb-src -v suite=trixie -v id=debian -f)
    printf 'deb [arch=amd64 signed-by=/k.gpg] http://m/debian bookworm-updates main contrib\n# deb http://m/x a b\ndeb http://flat ./\n' >"$tmp/one.list"
    printf 'Types: deb\nURIs: http://m/s\nSuites: bookworm bookworm-updates bookworm-security\nComponents: main\nSigned-By: /k.gpg\n' >"$tmp/two.sources"
    prints "a one-line apt source is taken over" '^deb-src \[arch=amd64 signed-by=/k.gpg\] http://m/debian trixie-updates main contrib$' \
        "${awk[@]}" "$here/../build/apt-list.awk" "$tmp/one.list"
    prints "comments and flat repositories are not" '^1$' bash -c "'${awk[0]}' -v suite=x -v id=debian -f '$here/../build/apt-list.awk' '$tmp/one.list' | wc -l"
    prints "a deb822 source is taken over" '^Suites: trixie trixie-updates trixie-security$' "${awk[@]}" "$here/../build/apt-sources.awk" "$tmp/two.sources"
    prints "with its key" '^Signed-By: /k.gpg$' "${awk[@]}" "$here/../build/apt-sources.awk" "$tmp/two.sources"
}

# new_mirror: an apt archive whose index names the tarball of 25.0.9+8, which is not there, and apt's configuration for
# it.
new_mirror() {
    local sources=$tmp/mirror/dists/trixie/main/source/Sources pool=pool/main/o/openjdk-25 newer=${toy%7}8 size
    mirror=$tmp/mirror/$pool
    mkdir -p "$(dirname "$sources")" "$mirror" "$tmp/parts"
    cp -r "$toy" "$newer"
    tar -C "$tmp" -cJf "$tmp/newer.tar.xz" "${newer##*/}"
    size=$(stat -c %s "$tmp/newer.tar.xz")
    {
        printf '%s: %s\n' Package openjdk-25 Binary openjdk-25-jdk Version 25.0.9+8-1 Format '3.0 (quilt)' Directory "$pool"
        printf 'Files:\n %s %s openjdk-25_25.0.9+8.orig.tar.xz\n' "$(md5sum <"$tmp/newer.tar.xz" | cut -d' ' -f1)" "$size"
        printf 'Checksums-Sha256:\n %s %s openjdk-25_25.0.9+8.orig.tar.xz\n' "$(sha "$tmp/newer.tar.xz")" "$size"
    } >"$sources"
    printf 'Suite: trixie\nCodename: trixie\nComponents: main\nSHA256:\n %s %s main/source/Sources\n' \
        "$(sha "$sources")" "$(stat -c %s "$sources")" >"$tmp/mirror/dists/trixie/Release"
    echo "deb [trusted=yes] file:$tmp/mirror trixie main" >"$tmp/sources.list"
    printf 'Dir::Etc::%s "%s";\n' sourcelist "$tmp/sources.list" sourceparts "$tmp/parts" >"$tmp/apt.conf"
}

sha() { sha256sum "$1" | cut -d' ' -f1; }
fetch() { env -u ZTERA_JDK_SOURCE APT_CONFIG="$tmp/apt.conf" "$tmp/a/hotspot/build/fetch-source.sh" "$@"; }
fetched() { cat "$(fetch "$@" 2>/dev/null)/version"; }
unpacks_nothing() { ! fetch 2>&1 | grep -q unpacking; }

# A mirror's index moves on before the mirror has what it names, while the pool keeps what the index names no more: of
# 25.0.5 there was the one, of 25.0.3 the other, and no fresh machine could build.
from_apt() {
    local mirror
    command -v apt-get >/dev/null || { echo "apt is missing: that the source comes through it is not tested"; return; }
    new_mirror
    echo "25.0.9+7 $(sha "$ZTERA_JDK_SOURCE") openjdk-25_25.0.9+7.orig.tar.xz" >"$tmp/a/hotspot/build/openjdk-source.txt"
    rm -rf "$ZTERA_CACHE/source"
    refuses "a mirror without a tarball" 'gave no source tarball' fetch
    holds "after which nothing goes on" unpacks_nothing
    echo other >"$mirror/openjdk-25_25.0.9+7.orig.tar.xz"
    refuses "a tarball with other bytes than those known" 'gave no source tarball' fetch
    cp "$ZTERA_JDK_SOURCE" "$mirror/openjdk-25_25.0.9+7.orig.tar.xz"
    prints "the known tarball is found, though the index does not name it" '^25\.0\.9\+7$' fetched
    refuses "the newest that is named, but not there" 'gave no source tarball' fetch newest
    prints "what was the default stays it" '^25\.0\.9\+7$' fetched
    cp "$tmp/newer.tar.xz" "$mirror/openjdk-25_25.0.9+8.orig.tar.xz"
    prints "the newest, when asked for" '^25\.0\.9\+8$' fetched newest
    prints "which is the default then" '^25\.0\.9\+8$' fetched
    rm -rf "$ZTERA_CACHE/source" "$mirror/openjdk-25_25.0.9+7.orig.tar.xz"
    prints "where the known one is gone, the newest" '^25\.0\.9\+8$' fetched
}

new_toy
new_clone a
new_clone b
the_tree
the_patch
the_cache
interruption
together
compiled_crates
source_lists
from_apt
finish
