# shellcheck shell=bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# Functions for the work tree: the OpenJDK source with our overlay and hooks, one for each source, kept in the cache so
# that a rebuild compiles only what changed. Needs lib.sh and patch.sh.
#
#   $ZTERA_CACHE/work/<source>/tree    the tree; its build/<level> holds the objects
#   $ZTERA_CACHE/work/<source>/laid    the files that we changed in it, one per line

readonly overlay=$ZTERA_ROOT/hotspot/src

# put_file FROM TO: copies only a changed content, so that make sees only a real change.
put_file() {
    cmp -s "$1" "$2" && return
    mkdir -p "${2%/*}"
    cp "$1" "$2"
}

# lay_files SOURCE WORK: brings the work tree to the pristine source plus the overlay plus the hooks, touching only what
# differs from that.
lay_files() {
    local source=$1 work=$2 want file new
    want=$(scratch lay)
    cp -rL "$overlay" "$want/src"
    patched_files "$source/tree" "$(<"$source/version")" "$want"
    if [[ ! -d $work/tree ]]; then
        say "copying the source to $work/tree"
        new=$(scratch work)
        cp -a --reflink=auto "$source/tree" "$new/tree"
        publish "$new" "${work#"$ZTERA_CACHE/"}"
    fi
    touch "$work/laid"
    (cd "$want" && find . -type f -printf '%P\n') | sort >"$want.files"
    sort -u "$work/laid" "$want.files" -o "$work/laid" # both, in case we are stopped half-way
    while read -r file; do
        if [[ -e $want/$file ]]; then
            put_file "$want/$file" "$work/tree/$file"
        elif [[ -e $source/tree/$file ]]; then
            put_file "$source/tree/$file" "$work/tree/$file"
        else
            rm -f "$work/tree/$file"
        fi
    done <"$work/laid"
    mv "$want.files" "$work/laid"
    rm -rf "$want"
}

# laid_hash SOURCE WORK: names what the work tree now holds.
laid_hash() { (cd "$2/tree" && echo "${1##*/}" && xargs -r -d '\n' sha256sum <"$2/laid") | short_hash; }

# wanted_hash SOURCE: what laid_hash will be once the overlay and hooks of this clone are laid.
wanted_hash() {
    local want
    want=$(scratch want)
    cp -rL "$overlay" "$want/src"
    patched_files "$1/tree" "$(<"$1/version")" "$want"
    (cd "$want" && echo "${1##*/}" && find . -type f -printf '%P\n' | sort | xargs -r -d '\n' sha256sum) | short_hash
    rm -rf "$want"
}
