#!/bin/bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# inject-view.sh VIEW NEW: makes NEW, a JDK view like VIEW whose engine can be made to fail (ffi/inject). It shares its
# files with VIEW, so both have to be on one file system. The library must have been built; `make inject` does that.
set -eu

if [[ $# -ne 2 || ! -x $1/bin/java ]]; then
    sed -n '5,6s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
library=$(dirname "${BASH_SOURCE[0]}")/../../target/inject/release/libztera_inject.so
if [[ ! -e $library ]]; then
    echo "inject-view: $library is missing; \`make inject\` builds it" >&2
    exit 2
fi
rm -rf "$2"
mkdir -p "$(dirname "$2")"
cp -al "$1" "$2"
# The old one is VIEW's too, and stays as it is there.
cp --remove-destination "$library" "$2/lib/libztera.so"
