#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# dist.sh: packs what `make` built into build/dist: the folder, a tarball of it, a package for Debian and its kin, a
# Containerfile, and our source. The same files give the same packages, byte for byte. SOURCE_DATE_EPOCH is the time of
# all that is in them, and by default that of the last commit.
#
# dist.sh install PREFIX: installs the folder, and packs nothing.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

here=$ZTERA_ROOT/scripts/dist
tree=$dist/$package
tarball=$dist/$package-linux-x64.tar.gz

pack_tarball() {
    tar -C "$dist" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu -cf - "$package" |
        gzip -n >"$tarball"
}

# pack_source: ours, as the GPL asks for it. That of OpenJDK is Debian's; openjdk-source.txt names it.
pack_source() {
    git -C "$ZTERA_ROOT" archive --prefix="ztera-$version/" HEAD | gzip -n >"$dist/ztera-$version-source.tar.gz"
}

# pack_deb: its control file says what dpkg-shlibdeps would, which must not look at this machine's glibc.
pack_deb() {
    local root=$dist/deb size
    rm -rf "$root"
    DESTDIR=$root "$here/install.sh" "$tree" /usr "lib/jvm/$package"
    mkdir -p "$root/DEBIAN" "$root/usr/share/doc/ztera-jdk"
    ln -s "../../../lib/jvm/$package/README.md" "$root/usr/share/doc/ztera-jdk/copyright"
    size=$(du -sk --apparent-size "$root" | cut -f1)
    sed "s/@VERSION@/$version/; s/@SIZE@/$size/" "$here/files/control" >"$root/DEBIAN/control"
    find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz -z2 --build "$root" "$dist/ztera-jdk_${version}_amd64.deb"
    rm -rf "$root"
}

"$here/tree.sh" "$tree"
if [[ ${1:-} == install ]]; then
    "$here/install.sh" "$tree" "$2" "lib/$package"
    say "installed $2/lib/$package and $2/bin/ztera"
    exit
fi
say "packing $package"
run_logged "$ZTERA_CACHE/logs/dist-tar.log" "packing the tarball" no_count pack_tarball
run_logged "$ZTERA_CACHE/logs/dist-source.log" "packing the source" no_count pack_source
run_logged "$ZTERA_CACHE/logs/dist-deb.log" "packing the .deb" no_count pack_deb
sed "s/@PACKAGE@/$package/g" "$here/files/Containerfile" >"$dist/Containerfile"
(cd "$dist" && sha256sum ./*.tar.gz ./*.deb >SHA256SUMS && du -h --apparent-size ./*.tar.gz ./*.deb) >&2
