#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# glibc-of.sh DIR: prints "VERSION FILE" for each program and library below DIR, newest first. VERSION is the newest
# that any of its symbols needs of glibc.

set -euo pipefail
cd "$1"

# needed FILE: the versions that it asks for. GLIBC_ABI_* are promises of the loader; no old one gives them.
needed() { readelf -VW "$1" 2>/dev/null | sed -n '/^Version needs section/,$s/.*Name: GLIBC_\(\S*\).*/\1/p' | sed 's/^ABI/999.ABI/'; }

find . -type f \( -perm -u+x -o -name '*.so' \) -printf '%P\n' | while read -r file; do
    [[ $(head -c 4 "$file" | tail -c 3) == ELF ]] || continue
    echo "$(needed "$file" | sort -V | tail -n 1) $file"
done | sort -Vr
