#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""collectors.py: prints where H2 names a collector of HotSpot outside of that collector's folder, and fails if it does.

gc/h2 is for any collector, gc/h2/parallel for Parallel. One file chooses among such folders. The flags of the heap that
all collectors share, such as ParallelGCThreads, belong to none.
"""

import re
import sys
from pathlib import Path

import text

H2 = Path("hotspot/src/hotspot/share/gc/h2")
COLLECTORS = {
    "parallel": r"PS[A-Z]\w*|PC[A-Z]\w*Closure|ParCompactionManager|ParMarkBitMap|Parallel(?:Scavenge|Compact|Arguments)\w*"
    r"|ObjectStartArray|MutableSpace|UseParallelGC|H2Parallel\w*",
    "g1": r"G1[A-Z]\w*|UseG1GC",
    "serial": r"Serial(?:Heap|FullGC|Arguments)|TenuredGeneration|DefNewGeneration|UseSerialGC",
    "shenandoah": r"Shenandoah\w+|UseShenandoahGC",
    "z": r"Z(?!Tera)[A-Z][a-z]\w*|UseZGC",
}
INCLUDE = re.compile(r'#include "gc/(?:h2/)?(%s)/' % "|".join(COLLECTORS))
CHOOSES = "h2Collector.inline.hpp"


def code(lines):
    """The lines without comments and strings, but for what is included."""
    for line in lines:
        yield line if line.startswith("#include") else re.sub(r'//.*|"(?:[^"\\]|\\.)*"', "", line)


def check(path, lines):
    """All complaints about a file of H2, of which the path is given from gc/h2."""
    found = []
    for number, line in enumerate(code(lines), 1):
        include = INCLUDE.match(line)
        if include and path.parts[0] != include[1] and not (path.name == CHOOSES and "gc/h2/" in line):
            found.append(f"{path}:{number}: includes a file of {include[1]}: ask H2Collector")
        for collector, names in COLLECTORS.items():
            name = re.search(rf"\b(?:{names})\b", "" if line.startswith("#include") else line)
            if name and path.parts[0] != collector:
                found.append(f"{path}:{number}: names {name[0]} of {collector}: ask H2Collector")
    return found


def main():
    files = text.tracked(f"{H2}/*.[ch]pp")
    found = [it for file in files for it in check(file.relative_to(H2), file.read_text().splitlines())]
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
