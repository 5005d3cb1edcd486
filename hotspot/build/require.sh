#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# require.sh PACKAGE...: sees to it that the Debian packages are there. Root installs what is missing; anyone else is
# told the one command that does. On a system without dpkg nothing is checked: the tools themselves say what they miss.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

install_missing() {
    local missing=() package
    for package in "$@"; do installed "$package" || missing+=("$package"); done
    (( ${#missing[@]} )) || return 0
    (( EUID == 0 )) || die "packages are missing; install them with: sudo apt-get install ${missing[*]}"
    say "installing ${missing[*]}"
    run_logged "$ZTERA_CACHE/logs/apt-update.log" "apt-get update" no_count apt-get update -q
    run_logged "$ZTERA_CACHE/logs/apt-install.log" "apt-get install" no_count \
        env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

command -v dpkg-query >/dev/null || exit 0
with_lock packages install_missing "$@"
