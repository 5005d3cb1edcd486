#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# kernel.sh [newest]: prints the cache folder of the guest's kernel: vmlinuz, and lib/modules. It comes from
# $ZTERA_GUEST_KERNEL (a Debian package linux-image-*) or else, once, through apt: that of Debian 13, which has every
# driver that the tests are for. With `newest`, apt is asked again. Nothing is installed.

source "$(dirname "${BASH_SOURCE[0]}")/../hotspot/build/lib.sh"
source "$ZTERA_ROOT/hotspot/build/apt-lists.sh"

PATH=$PATH:/usr/sbin:/sbin
readonly package=linux-image-amd64 suite=trixie
log=$ZTERA_CACHE/logs/guest-kernel.log

# add FILE: the cache entry of a package.
add() {
    local sha dir entry
    sha=$(sha256sum "$1" | cut -d' ' -f1)
    entry=guest-kernel/${sha:0:16}
    if [[ ! -d $ZTERA_CACHE/$entry ]]; then
        say "unpacking ${1##*/}"
        dir=$(scratch guest-kernel)
        unpack "$1" "$dir"
        publish "$dir" "$entry"
    fi
    echo "$ZTERA_CACHE/$entry"
}

unpack() {
    local image modules
    dpkg-deb -x "$1" "$2/all"
    image=$(find "$2/all/boot" -name 'vmlinuz-*')
    modules=$(find "$2/all" -type d -path '*/lib/modules')
    [[ -n $image && -n $modules ]] || die "$1 has no kernel with modules"
    mkdir "$2/lib"
    mv "$image" "$2/vmlinuz"
    mv "$modules" "$2/lib/modules"
    rm -rf "$2/all"
    depmod -b "$2" "$(ls "$2/lib/modules")"
}

# download DIR: fetches the package that the suite's newest kernel is in.
download() {
    apt_lists "$1" deb "$suite"
    say "reading the package index for a kernel ($suite)"
    apt-get "${apt_options[@]}" update >"$log" 2>&1 || true # a foreign list may lack the suite; what counts comes next
    local real
    real=$(apt-cache "${apt_options[@]}" depends "$package" 2>>"$log" |
        sed -n 's/^ *Depends: \(linux-image-[0-9][^ ]*\)$/\1/p' | head -n 1)
    [[ -n $real ]] || die "apt knows no $package; name a package of a kernel: ZTERA_GUEST_KERNEL=linux-image-..._amd64.deb"
    say "downloading $real"
    (cd "$1" && run_logged "$log" "apt-get download" no_count apt-get "${apt_options[@]}" download "$real")
}

from_apt() {
    local default=$ZTERA_CACHE/guest-kernel/default dir entry
    if [[ ! -e $default/vmlinuz || ${1:-} == newest ]]; then
        command -v apt-get >/dev/null || die "the guest's kernel comes through apt; name a package: ZTERA_GUEST_KERNEL=..."
        dir=$(scratch guest-kernel)
        download "$dir"
        entry=$(add "$dir"/linux-image-*.deb)
        rm -rf "$dir"
        ln -sfn "${entry##*/}" "$default"
    fi
    readlink -f "$default"
}

mkdir -p "${log%/*}"
if [[ -n ${ZTERA_GUEST_KERNEL:-} ]]; then
    with_lock guest-kernel add "$ZTERA_GUEST_KERNEL"
else
    with_lock guest-kernel from_apt "$@"
fi
