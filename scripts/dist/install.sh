#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# install.sh TREE PREFIX HOME: copies the package to PREFIX/HOME, and links the command, its manual and its completions
# where a shell looks for them below PREFIX. $DESTDIR goes before PREFIX. The JDK's own tools are not linked: another
# JDK may be there.

set -euo pipefail
shopt -s nullglob
tree=$1 prefix=$2 home=$3
root=${DESTDIR:-}$prefix

# link FOLDER FILE...: relative links to files of the package.
link() {
    local file
    mkdir -p "$root/$1"
    for file in "${@:2}"; do ln -sfnr "$root/$home/$file" "$root/$1/${file##*/}"; done
}

rm -rf "${root:?}/$home"
mkdir -p "$root/$home"
cp -a "$tree/." "$root/$home/"
cd "$tree"
link bin bin/ztera
link share/man/man1 man/man1/ztera*.1
link share/bash-completion/completions share/completions/ztera
link share/zsh/site-functions share/completions/_ztera
link share/fish/vendor_completions.d share/completions/ztera.fish
