#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""circles.py: prints modules of a crate, and classes of H2 in HotSpot, that know each other in a circle; fails if any do.

Tests do not count: they may build what they test from above. A class of H2 knows those whose files it includes, and those
that it calls by name through somebody else's include.
"""

import re
import sys
from pathlib import Path

from text import tracked

# Crates that are held to no order of their own: they compile sources of others.
MODELS = "engine/models/"
H2 = "hotspot/src/hotspot/share/gc/h2"
TESTS = ("test", "tests", "testing")
CLASS = re.compile(r"^(?:class|struct) (\w+)[^;{]*\{", re.MULTILINE)
INCLUDE = re.compile(r'#include "(?:[\w/]+/)?(\w+)\.(?:inline\.)?hpp"')
CALL = re.compile(r"\b(\w+)::")
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


def crates():
    """The folders of sources of all crates."""
    roots = {path.parent for path in tracked("*/src/lib.rs", "*/src/main.rs")}
    return sorted(root for root in roots if not str(root).startswith(MODELS))


def rust_circles():
    """A line for each circle of each crate."""
    return [f"{folder}: {', '.join(it)}" for folder in crates() for it in circles(imports(sources_of(folder)))]


def knows(sources):
    """{class: classes that it includes or calls}, of {file name: source}. All files of a class have its name."""
    units = {name: name.split(".")[0] for name in sources}
    headers = {it: units[name] for name, text in sources.items() if name.endswith(".hpp") for it in CLASS.findall(text)}
    found = {unit: set() for unit in units.values()}
    for name, text in sources.items():
        called = [headers.get(it) for it in CALL.findall(re.sub(r"//.*", "", text))]
        found[units[name]] |= {other for other in INCLUDE.findall(text) + called if other in found and other != units[name]}
    return found


def class_circles(sources):
    """Circles of classes, of {file name: source}."""
    return circles({(unit,): {(other,) for other in others} for unit, others in knows(sources).items()})


def hotspot_circles():
    """A line for each circle of H2's classes."""
    sources = {path.name: path.read_text() for path in tracked(f"{H2}/*.hpp", f"{H2}/*.cpp")}
    return [f"{H2}: {', '.join(it)}" for it in class_circles(sources)]


def main():
    found = rust_circles() + hotspot_circles()
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
