#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""prose.py: prints sentences that are hard to read, one a line, and fails if there are any.

A sentence of a document has at most 25 words. No sentence of a document or a comment starts with who, what or which,
unless it asks a question: its actor is to be named first.
"""

import re
import sys

from text import CODE, DOCUMENTS, comments, paragraphs, sentences, tracked

MOST_WORDS = 25
NO_ACTOR = re.compile(r"(who|what|which|whoever|whatever|whichever)\b ", re.IGNORECASE)


def complaints(text, most_words):
    """Yields what is wrong with each sentence of a paragraph."""
    for sentence in sentences(text):
        words = [word for word in sentence.split() if re.search(r"\w", word)]
        if NO_ACTOR.match(sentence) and not sentence.rstrip(")\"'").endswith("?"):
            yield f"no actor: {sentence}"
        if len(words) > most_words:
            yield f"{len(words)} words: {sentence}"


def check(path, lines):
    """All complaints about one file, with their places."""
    document = path.suffix == ".md"
    texts = paragraphs(lines) if document else comments(path, lines)
    most_words = MOST_WORDS if document else sys.maxsize
    return [f"{path}:{number}: {problem}" for number, text in texts for problem in complaints(text, most_words)]


def main():
    paths = tracked(*DOCUMENTS) + tracked(*CODE)
    found = [line for path in paths for line in check(path, path.read_text(errors="replace").splitlines())]
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
