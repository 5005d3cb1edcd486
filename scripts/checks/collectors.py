#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""collectors.py: prints where H2 could not live beside a second collector of HotSpot, and fails if it finds such places.

gc/h2 is for any collector, gc/h2/parallel for Parallel. Two files choose among such folders. The flags of the heap that
all collectors share, such as ParallelGCThreads, belong to none. It checks that

* no other file names a collector outside of that collector's folder,
* no collector defines a function of H2Collectors, so that there can be two,
* H2Fence alone knows that H2 lies below H1: nobody else asks for the end of H2.
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
CHOOSES = {"h2Collectors.cpp", "h2Collectors.inline.hpp"}
SUBCLASSES = re.compile(r"H2Parallel\w*")
DEFINES = re.compile(r"^\s*(?:inline\s|static\s|template\s*<|const\s)*[\w:*&<> ]+[\s*&]H2Collectors::\w+\([^;]*\{")
END = re.compile(r"\bH2Heap::end\(\)|\bH2Fence::_end\b")
KNOW_END = {"h2Fence.hpp", "h2Heap.hpp", "h2Heap.cpp"}


def code(lines):
    """The lines without comments and strings, but for what is included."""
    for line in lines:
        yield line if line.startswith("#include") else re.sub(r'//.*|"(?:[^"\\]|\\.)*"', "", line)


def names(path, line):
    """Complaints about collectors that a line of code includes or names."""
    chooses = path.name in CHOOSES
    include = INCLUDE.match(line)
    if include:
        if path.parts[0] != include[1] and not (chooses and "gc/h2/" in line):
            yield f"includes a file of {include[1]}: ask H2Collectors"
        return
    for collector, theirs in COLLECTORS.items():
        for name in re.findall(rf"\b(?:{theirs})\b", line):
            if path.parts[0] != collector and not (chooses and SUBCLASSES.fullmatch(name)):
                yield f"names {name} of {collector}: ask H2Collectors"


def check(path, lines):
    """All complaints about a file of H2, of which the path is given from gc/h2."""
    found = []
    for number, line in enumerate(code(lines), 1):
        complaints = list(names(path, line))
        if path.name not in CHOOSES and DEFINES.search(line):
            complaints.append("defines a function of H2Collectors, which only one collector could: choose it there")
        if path.name not in KNOW_END and END.search(line):
            complaints.append("asks where H2 ends: take H2Heap::range() or h1(), as H2 need not lie below H1")
        found += [f"{path}:{number}: {it}" for it in complaints]
    return found


def main():
    files = text.tracked(f"{H2}/*.[ch]pp")
    found = [it for file in files for it in check(file.relative_to(H2), file.read_text().splitlines())]
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
