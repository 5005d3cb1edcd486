#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# old-glibc.sh: prints a folder that makes a linker take this machine's glibc for glibc 2.28. With `-L` and that
# folder, a link gives a program that runs on every glibc since 2018. The folder has stubs of the libraries
# (glibc/stubs.py), and an archive of newer functions that code needs all the same (glibc/newer). Its `ld` adds the
# option by itself: gcc calls that one when COMPILER_PATH names the folder. A change of glibc or of these sources
# makes a new folder.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

"$ZTERA_ROOT/hotspot/build/require.sh" gcc libc6-dev binutils python3
sources=$ZTERA_ROOT/hotspot/build/glibc
libc=$(gcc -print-file-name=libc.so.6)
key=$(cat "$libc" "$sources"/stubs.py "$sources"/newer/* "${BASH_SOURCE[0]}" | short_hash)
entry=glibc/$key

# link_stub DIR SONAME: the stub library, from its sources in DIR/SONAME.
link_stub() {
    gcc -shared -nostdlib -Wl,-soname,"$2" -Wl,--version-script,"$1/$2/stub.map" -o "$1/stub.$2" "$1/$2/stub.s"
    rm -r "${1:?}/$2"
    mv "$1/stub.$2" "$1/$2"
}

# pack_newer DIR: the archive. Its functions are hidden, as each program has its own.
pack_newer() {
    local file objects=$1/objects
    mkdir "$objects"
    for file in "$sources"/newer/*; do
        gcc -O2 -fPIC -fvisibility=hidden -Wall -Wextra -Werror -c "$file" -o "$objects/${file##*/}.o"
    done
    ar rcsD "$1/libnewer.a" "$objects"/*
    rm -r "$objects"
}

# build DIR: names that `-lpthread` and the like look for. The one of libc is a script, as in glibc itself.
build() {
    local soname
    python3 "$sources/stubs.py" "$1"
    for soname in libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1 libutil.so.1; do
        link_stub "$1" "$soname"
        [[ $soname == libc.so.6 ]] || ln -s "$soname" "$1/${soname%.*}"
    done
    pack_newer "$1"
    local at=$ZTERA_CACHE/$entry # where it will be
    local parts=("$at/libc.so.6" "$at/libnewer.a" "$(gcc -print-file-name=libc_nonshared.a)")
    local needed=("$at/libpthread.so.0" "$at/libdl.so.2" "$at/librt.so.1" "$(gcc -print-file-name=ld-linux-x86-64.so.2)")
    echo "GROUP ( ${parts[*]} AS_NEEDED ( ${needed[*]} ) )" >"$1/libc.so"
}

# write_ld DIR: the linker with the option. It comes first, before the folders of gcc.
write_ld() {
    printf '#!/bin/sh\nexec "%s" -L"%s" "$@"\n' "$(command -v ld)" "$ZTERA_CACHE/$entry" >"$1/ld"
    chmod +x "$1/ld"
}

make_entry() {
    local dir
    [[ ! -d $ZTERA_CACHE/$entry ]] || return 0
    dir=$(scratch glibc)
    build "$dir"
    write_ld "$dir"
    publish "$dir" "$entry"
}

with_lock glibc make_entry
echo "$ZTERA_CACHE/$entry"
