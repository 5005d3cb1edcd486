#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""figures.py: prints tables of measurements that do not name the command that printed them, and fails if there are any.

The name is a comment in the line before the table: <!-- printed by: COMMAND -->
"""

import re
import sys

from text import DOCUMENTS, tracked


def is_measured(rows):
    """Whether most cells of a table, but for those of the first column, begin with a number."""
    cells = [cell.strip() for row in rows[2:] for cell in row.strip("|").split("|")[1:] if cell.strip()]
    return 2 * sum(bool(re.match(r"[\d-]", cell)) for cell in cells) > len(cells)


def check(path, lines):
    """All complaints about one document, with their places."""
    found, before = [], ""
    for number, line in enumerate(lines, 1):
        if line.startswith("|") and not before.startswith("|"):
            rows = []
            for row in lines[number - 1:]:
                if not row.startswith("|"):
                    break
                rows.append(row)
            if is_measured(rows) and not before.startswith("<!-- printed by: "):
                found.append(f"{path}:{number}: the table does not say which command printed it")
        before = line
    return found


def main():
    found = [line for path in tracked(*DOCUMENTS) for line in check(path, path.read_text().splitlines())]
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
