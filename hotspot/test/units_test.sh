#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# Units of H2 by themselves, in seconds: cards, what is known of references, regions, the allocator, containers and weak
# roots, as they are in gc/h2. They are compiled over units/toy.hpp and units/toyHeap.hpp, which stand in for HotSpot's
# headers and for H2's others.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
share=$here/../src/hotspot/share
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# stand_in TOY HEADER...: puts the toy in place of these headers.
stand_in() {
    local toy=$1 header
    for header in "${@:2}"; do
        mkdir -p "$(dirname "$tmp/in/$header")"
        echo "#include \"$toy\"" >"$tmp/in/$header"
    done
}

# HotSpot's own headers are all that the overlay includes and does not have.
mapfile -t included < <(cd "$share" && sed -nE 's/^#include "([^"]+)"/\1/p' gc/h2/*.[ch]pp | sort -u)
for header in "${included[@]}"; do
    [[ -e $share/$header ]] || stand_in toy.hpp "$header"
done
stand_in toyHeap.hpp \
    gc/h2/{h2Backend,h2Collectors.inline,h2Fields.inline,h2Heap,h2HotObjects,h2Liveness.inline,h2References}.hpp \
    gc/h2/{h2Returner.inline,h2ShapeTable,h2Shapes,h2WrittenClasses}.hpp \
    gc/shared/{blockOffsetTable,cardTable,fullGCForwarding.inline}.hpp memory/universe.hpp \
    oops/{access.inline,compressedOops.inline,oop.inline,oopsHierarchy,weakHandle,weakHandle.inline}.hpp

for name in containers regions cards targets; do
    "${CXX:-g++}" -std=c++14 -O1 -Wall -Wextra -Werror -Wno-unused-parameter -fsanitize=undefined -fno-sanitize-recover \
        "-I$tmp/in" "-I$here/units" "-I$share" -o "$tmp/$name" "$here/units/${name}_test.cpp"
    "$tmp/$name"
done
