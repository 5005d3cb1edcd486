#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# apt-source.sh DIR: downloads the upstream tarball of the newest openjdk-25 source package into DIR and prints its path.
#
# The package comes from the mirrors that apt is configured with, through a source list of our own that is made from the
# user's (whose files and whose package lists stay as they are). apt checks the signatures; the tarball is checked against
# the signed index. A mirror may lack other parts of the package, or the newest version: only the tarball is asked for, and
# the next older version is tried.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

readonly package=openjdk-25 suite=trixie # Debian 13: the first Debian release with the package
readonly dir=$1
apt_options=(-o "Dir::Etc::sourcelist=$dir/sources.list" -o "Dir::Etc::sourceparts=$dir/parts"
    -o "Dir::State::lists=$dir/lists" -o "Dir::Cache=$dir/cache" -o "APT::Sandbox::User=")
log=$ZTERA_CACHE/logs/apt-source.log

# source_lists: copies apt's own source lists, as deb-src entries for the suite above instead of the one in use. On a
# system other than Debian (whose mirrors do not carry that suite) the suites stay.
source_lists() {
    local list parts id file
    eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
    # shellcheck disable=SC1091
    id=$(. /etc/os-release && echo "$ID")
    mkdir -p "$dir/parts" "$dir/lists/partial" "$dir/cache"
    : >"$dir/sources.list"
    for file in "$list" "$parts"/*.list; do
        [[ -r $file ]] || continue
        awk -v suite="$suite" -v id="$id" -f "$ZTERA_ROOT/hotspot/build/apt-list.awk" "$file" | sort -u >>"$dir/sources.list"
    done
    for file in "$parts"/*.sources; do
        awk -v suite="$suite" -v id="$id" -f "$ZTERA_ROOT/hotspot/build/apt-sources.awk" "$file" >"$dir/parts/${file##*/}"
    done
}

# tarballs: "version sha256 file" of each upstream tarball in the signed indexes, newest first.
tarballs() {
    apt-cache "${apt_options[@]}" showsrc --only-source "$package" 2>>"$log" |
        awk '/^Version:/ { version = $2 } /^Checksums-Sha256:/ { sums = 1; next } /^[^ ]/ { sums = 0 }
             sums && $3 ~ /\.orig\.tar\.[a-z]+$/ { print version, $1, $3 }' | sort -rV
}

# download VERSION SHA256 FILE: fetches that one file of the source package.
download() {
    local uri
    uri=$(apt-get "${apt_options[@]}" source --download-only --print-uris "$package=$1" 2>>"$log" |
        awk -v file="$3" '$2 == file { gsub(/\047/, "", $1); print $1; exit }')
    [[ -n $uri ]] || return 1
    /usr/lib/apt/apt-helper "${apt_options[@]}" download-file "$uri" "$dir/$3" "SHA256:$2" >>"$log" 2>&1 &&
        echo "$2  $dir/$3" | sha256sum --check --status
}

command -v apt-get >/dev/null || die "the OpenJDK 25 source package comes through apt, which is not here; name a source
  tarball or tree of OpenJDK 25 with ZTERA_JDK_SOURCE=..."
mkdir -p "${log%/*}"
: >"$log"
source_lists
say "reading the package index for openjdk-25 ($suite)"
apt-get "${apt_options[@]}" update >>"$log" 2>&1 || true # a foreign list may lack the suite; what counts comes next
while read -r version sha file; do
    say "downloading $file ($version)"
    if download "$version" "$sha" "$file"; then
        echo "$dir/$file"
        exit
    fi
    say "version $version is not to be had here"
done < <(tarballs)
tail -n 20 "$log" >&2
die "apt's mirrors gave no source tarball of openjdk-25 (log: $log). Name one: ZTERA_JDK_SOURCE=<tarball or tree> make"
