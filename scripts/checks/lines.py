#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""lines.py: prints lines of code and comments that are too long, and fails if there are any."""

import sys

from text import CODE, marker, tracked

LONGEST_COMMENT = 120
LONGEST_CODE = 160
# Folders whose comments may be as long as code, and files that have longer lines; to become shorter only.
LONG_COMMENTS = ("engine", "ffi", "hotspot/src")
LONGER = {"h2DCmd.hpp": 194, "h2HotLabels.cpp": 185, "h2FinderWorker.cpp": 291}


def limit(path, line):
    """The most columns that this line may have. Help texts of the Makefile (##) are lines of code."""
    most = LONGER.get(path.name, LONGEST_CODE)
    is_comment = marker(path).match(line) and not line.startswith("## ")
    return LONGEST_COMMENT if is_comment and not str(path).startswith(LONG_COMMENTS) else most


def check(path, lines):
    """All complaints about one file, with their places. A tab counts as four columns, an address cannot be broken."""
    found = []
    for number, line in enumerate(lines, 1):
        columns, most = len(line.expandtabs(4)), limit(path, line)
        if columns > most and "://" not in line:
            found.append(f"{path}:{number}: {columns} columns, {most} at most")
    return found


def main():
    found = [line for path in tracked(*CODE) for line in check(path, path.read_text(errors="replace").splitlines())]
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
