#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# apt-source.sh DIR [newest]: downloads an upstream tarball of the openjdk-25 source package into DIR and prints its
# path: that of openjdk-source.txt or, with `newest` or where the mirrors do not have it, the newest that there is.
#
# The package comes from the mirrors that apt is configured with, through a source list of our own that is made from the
# user's (whose files and whose package lists stay as they are). apt checks the index's signature; the tarball is
# checked against openjdk-source.txt or the index. A mirror may lack other parts of the package, or the newest version:
# only the tarball is asked for, and the next older version is tried.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/apt-lists.sh"

readonly package=openjdk-25 suite=trixie # Debian 13: the first Debian release with the package
readonly dir=$1 which=${2:-}
log=$ZTERA_CACHE/logs/apt-source.log

# pinned: "version sha256 file" of the tarball that everything is tested with.
pinned() { grep -v '^#' "$ZTERA_ROOT/hotspot/build/openjdk-source.txt"; }

# listed: the same of each upstream tarball in the signed indexes, newest first.
listed() {
    apt-cache "${apt_options[@]}" showsrc --only-source "$package" 2>>"$log" |
        awk '/^Version:/ { version = $2 } /^Checksums-Sha256:/ { sums = 1; next } /^[^ ]/ { sums = 0 }
             sums && $3 ~ /\.orig\.tar\.[a-z]+$/ { print version, $1, $3 }' | sort -rV
}

# folders: where the mirrors keep the package, as URIs: the tarball of a version that the index does not name any more
# is still there for a while.
folders() {
    local version
    while read -r version _; do
        apt-get "${apt_options[@]}" source --download-only --print-uris "$package=$version" 2>>"$log" || true
    done < <(listed) | sed -nE "s|^'([^']*)/[^/]*' [^ ]+\.orig\.tar\.[a-z]+ .*|\1|p" | sort -u
}

# download SHA256 FILE: fetches that one file of the source package.
download() {
    local folder
    while read -r folder; do
        /usr/lib/apt/apt-helper "${apt_options[@]}" download-file "$folder/$2" "$dir/$2" "SHA256:$1" >>"$log" 2>&1 &&
            echo "$1  $dir/$2" | sha256sum --check --status && return
    done < <(folders)
    return 1
}

command -v apt-get >/dev/null || die "the OpenJDK 25 source package comes through apt, which is not here; name a source
  tarball or tree of OpenJDK 25 with ZTERA_JDK_SOURCE=..."
mkdir -p "${log%/*}"
: >"$log"
apt_lists "$dir" deb-src "$suite"
say "reading the package index for openjdk-25 ($suite)"
apt-get "${apt_options[@]}" update >>"$log" 2>&1 || true # a foreign list may lack the suite; what counts comes next
while read -r version sha file; do
    say "downloading $file ($version)"
    if download "$sha" "$file"; then
        echo "$dir/$file"
        exit
    fi
    say "version $version is not to be had here"
done < <([[ $which == newest ]] || pinned; listed)
tail -n 20 "$log" >&2
die "apt's mirrors gave no source tarball of openjdk-25 (log: $log). Name one: ZTERA_JDK_SOURCE=<tarball or tree> make"
