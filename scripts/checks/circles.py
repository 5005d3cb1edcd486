#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""circles.py: prints modules of a crate that import each other in a circle, and fails if there are any.

Tests do not count: they may build what they test from above.
"""

import re
import sys
from pathlib import Path

# The crates that are held to it: all but those of the engine that still have circles (codec, range, store).
ENGINE = ["accel", "cgroup", "fail", "fuzz", "kit", "log", "metrics", "policy", "pool", "sim", "ssd", "sync", "trace"]
SOURCES = ["machine/src", "measure/src", "lab/src", "cli/src", "disk/src", "ffi/src"] + [f"engine/{name}/src" for name in ENGINE]
TESTS = ("test", "tests", "testing")
PATH = re.compile(r"\b(?:crate|self|super|[a-z_]\w*)(?:\s*::\s*\w+)+")


def name_of(path):
    """The module in a file, as a tuple of names; of the crate itself ()."""
    parts = path.with_suffix("").parts
    return parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts


def paths(text):
    """All paths in a source without its tests and comments; groups in braces are taken apart."""
    text = re.sub(r"//.*", "", re.split(r"#\[cfg\(test\)\]\n(?:pub )?mod tests \{", text)[0])
    group = re.compile(r"([\w:\s]*)::\s*\{([^{}]*)\}")
    while group.search(text):
        text = group.sub(lambda it: "".join(f"{it[1]}::{part.strip()}," for part in it[2].split(",")), text)
    return [re.sub(r"\s", "", it) for it in PATH.findall(text)]


def resolve(module, path, modules):
    """The module that a path of another one leads to; None if it leads out of the crate."""
    names = path.split("::")
    if names[0] == "crate":
        here, names = (), names[1:]
    elif names[0] in ("self", "super") or module + (names[0],) in modules:
        here = module
        while names[0] == "super":
            here, names = here[:-1], names[1:]
        names = names[1:] if names[0] == "self" else names
    else:
        return None
    for name in names:
        if here + (name,) not in modules:
            break
        here += (name,)
    return here


def imports(sources):
    """{module: modules that it names}, of {module: source}."""
    found = {}
    for module, text in sources.items():
        named = {resolve(module, path, sources) for path in paths(text)}
        found[module] = {other for other in named if other not in (None, module)}
    return found


def circles(edges):
    """All modules that can be reached from themselves, each with those that it shares a circle with."""
    reach = {}
    for module in edges:
        seen, left = set(), [module]
        while left:
            for other in edges.get(left.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    left.append(other)
        reach[module] = seen
    found = {frozenset(it for it in reach[module] if module in reach[it]) for module in edges if module in reach[module]}
    return sorted(sorted("::".join(module) or "crate" for module in circle) for circle in found)


def sources_of(folder):
    """{module: source} of a crate's folder."""
    files = [path for path in folder.rglob("*.rs") if path.stem not in TESTS and not path.stem.endswith("_test")]
    return {name_of(path.relative_to(folder)): path.read_text() for path in files}


def main():
    found = [f"{folder}: {', '.join(it)}" for folder in SOURCES for it in circles(imports(sources_of(Path(folder))))]
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
