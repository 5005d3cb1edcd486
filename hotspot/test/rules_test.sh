#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# The rules of H2 that are functions of what they are given and name nothing of HotSpot, and the code of shapes:
# compiled by themselves, in a second, and tried against tables.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

for name in rules_test shape_test; do
    "${CXX:-g++}" -std=c++14 -Wall -Wextra -Werror -I"$here/../src/hotspot/share" -o "$tmp/$name" "$here/$name.cpp"
    "$tmp/$name"
done
