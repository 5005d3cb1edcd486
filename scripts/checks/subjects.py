#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""subjects.py: prints subjects of commits that are not `area: imperative` of at most 72 characters, and fails if any is.

Commits up to SINCE are older than this rule; merges name what they merge.
"""

import re
import subprocess
import sys

SINCE = "bcf6826e002a255a99b16f6c3bdd016a2a1c11d5"
LONGEST = 72
SHAPE = re.compile(r"[a-z0-9][a-z0-9_./, -]*: (?P<verb>[a-z][a-z-]*)\b.*[^.]")
NO_IMPERATIVE = re.compile(r"(?!need|feed|speed|embed|shed|bring|string|ring|seed)[a-z-]+(ed|ing)|(a|an|the|one|no|its|this|of|and)$")


def complaint(subject):
    """What is wrong with a subject, or None."""
    shape = SHAPE.fullmatch(subject)
    if not shape:
        return "is not `area: imperative`"
    if NO_IMPERATIVE.fullmatch(shape["verb"]):
        return f"begins with `{shape['verb']}`, which is no imperative"
    return f"has {len(subject)} characters, {LONGEST} at most" if len(subject) > LONGEST else None


def main():
    known = subprocess.run(["git", "merge-base", "--is-ancestor", SINCE, "HEAD"], capture_output=True)
    if known.returncode:
        print(f"commit {SINCE[:12]} is not in this clone: fetch the whole history (git fetch --unshallow)")
        return True
    command = ["git", "log", "--no-merges", "--format=%h %s", f"{SINCE}..HEAD"]
    log = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    commits = [line.split(" ", 1) for line in log.splitlines()]
    found = [f"{name} {subject}: {why}" for name, subject in commits if (why := complaint(subject))]
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
