#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""situations.py [--write]: compares the table of situations in docs/testing.md with the tests that try them, or makes it.

A test that stands for a situation of somebody's program ends the comment above it so:

    Situation: native code: a system call gets the address of an array. Outcome: as on the stock JVM.

The words before the second colon name the area. The outcome is what the test asserts.
"""

import re
import sys
from pathlib import Path

from text import comments, tracked

DOCUMENT = Path("docs/testing.md")
BEGIN, END = "<!-- printed by: scripts/checks/situations.py --write -->", "<!-- end of situations -->"
HEAD = ["| Area | Situation | Outcome | Test |", "|---|---|---|---|"]
MARK = re.compile(r"\bSituation: ([^:.]+): (.+?)\. Outcome: (.+?)\.$")
TEST = re.compile(r"\s*(?:(?:pub )?fn|(?:static )?void) (\w+)|(\w+)\(\) \{")


def rows(path, lines):
    """Yields (row of the table, None) for each situation of a file, or (None, complaint)."""
    for number, text in comments(path, lines):
        if "Situation: " not in text:
            continue
        mark = MARK.search(text)
        test = next((t for line in lines[number:] if (t := TEST.match(line))), None)
        if mark and test:
            area, situation, outcome = mark.groups()
            where = f"[`{test[1] or test[2]}`](../{path})"
            yield f"| {area} | {situation[0].upper()}{situation[1:]} | {outcome} | {where} |", None
        else:
            yield None, f"{path}:{number}: no `Situation: AREA: SITUATION. Outcome: OUTCOME.` above a test"


def with_table(document, table):
    """The document with this table in place of the one that it has."""
    before, _, rest = document.partition(BEGIN)
    return "\n".join([before + BEGIN, *HEAD, *sorted(table), END]) + rest.partition(END)[2]


def main():
    found = [row for path in tracked("*.java", "*.rs", "*.sh") for row in rows(path, path.read_text().splitlines())]
    complaints = [complaint for _, complaint in found if complaint]
    old = DOCUMENT.read_text()
    new = with_table(old, [row for row, _ in found if row])
    if "--write" in sys.argv:
        DOCUMENT.write_text(new)
    elif new != old:
        complaints.append(f"{DOCUMENT} is not what its tests say: scripts/checks/situations.py --write")
    print("\n".join(complaints))
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
