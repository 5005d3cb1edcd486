# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""Files, comments and sentences, as the checks of this folder see them."""

import re
import subprocess
from pathlib import Path

CODE = ("*.rs *.java *.scala *.cpp *.hpp *.c *.h *.sh *.awk *.py *.toml Makefile *.properties .ci/run").split()
DOCUMENTS = ["*.md"]

# The comment markers by suffix; every other file of code has the shell's.
SLASHES = re.compile(r"^\s*(///|//!|//|/\*\*|/\*|\*/|\*(?=\s|$))\s?")
HASHES = re.compile(r"^\s*##?(?!!)\s?")
SLASH_SUFFIXES = {".rs", ".java", ".scala", ".cpp", ".hpp", ".c", ".h"}


def tracked(*patterns):
    """The tracked files that match, as paths from the root; inputs of fuzzers are no code."""
    listed = subprocess.run(["git", "ls-files", "-z", "--", *patterns], check=True, capture_output=True, text=True)
    paths = [Path(name) for name in listed.stdout.split("\0") if name]
    return [path for path in paths if "corpus" not in path.parts and path.exists()]


def marker(path):
    """The expression that finds the start of a comment line of this file."""
    return SLASHES if path.suffix in SLASH_SUFFIXES else HASHES


def comments(path, lines):
    """Yields (number of the first line, text) of each paragraph of whole-line comments, without examples."""
    start, words, fenced, pattern = 0, [], False, marker(path)
    for number, line in enumerate(lines, 1):
        found = pattern.match(line)
        body = line[found.end():].strip().removesuffix("*/").rstrip() if found else ""
        if body.startswith("```"):
            fenced = not fenced
            body = ""
        ends = not body or fenced or body[0] in "|@" or body.startswith("SPDX") or not found
        item = re.match(r"([*-] |\d+\. |#+ )", body)
        if words and (ends or item):
            yield start, " ".join(words)
            words = []
        if not ends:
            start = start if words else number
            words.append(re.sub(r"^([*-] |\d+\. |#+ )", "", body) if item else body)
        fenced = fenced and found is not None
    if words:
        yield start, " ".join(words)


def paragraphs(lines):
    """Yields (number, text) of each paragraph, list item and table cell of a Markdown document, without headings."""
    start, words, hidden = 0, [], None
    for number, line in enumerate(lines, 1):
        body = line.strip()
        if hidden is None and body.startswith(("```", "<!--")):
            hidden = "```" if body.startswith("```") else "-->"
            ended = hidden == "-->" and "-->" in body
        else:
            ended = hidden is not None and hidden in body
        plain = hidden is None and bool(body) and body[0] not in "#|!"
        item = re.match(r"(>\s*|[*-] |\d+\. )", body)
        if words and (not plain or item):
            yield start, " ".join(words)
            words = []
        if plain:
            start = start if words else number
            words.append(body[item.end():] if item else body)
        if hidden is None and body.startswith("|") and not re.fullmatch(r"[|:\s-]+", body):
            yield from ((number, cell.strip()) for cell in body.strip("|").split("|") if cell.strip())
        hidden = None if ended else hidden
    if words:
        yield start, " ".join(words)


def sentences(text):
    """The sentences of a paragraph. Code counts as one word, a link as its text."""
    text = re.sub(r"`[^`]*`", "CODE", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = text.replace("*", "")
    text = re.sub(r"\b(e\.g|i\.e|cf|vs|etc)\.", r"\1", text)
    return re.split(r"(?<=[.!?])[)\"']*\s+(?=[A-Z(\"'\d])", text)
