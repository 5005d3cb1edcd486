#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""house.py: prints how the house is kept, and fails where it gets worse.

It prints lines of code by folder, circles of modules and classes, and assertions per function of the crates that keep the
engine's invariants. It fails if there is a circle, if a crate has fewer assertions per function than FLOORS says, or if
libztera.so reads the environment.
"""

import re
import sys

import circles
from text import tracked

# Source folders that are not for users of the product, by the longest name that fits; all others are product.
TESTS = ["engine/fuzz", "engine/kit", "engine/models", "ffi/inject", "guest", "hotspot/test", "java/fuzz", "java/kit", "java/others", "java/tests",
         "scripts"]
LABORATORY = ["engine/sim", "java/defaults", "lab"]
KINDS = ("product", "tests", "laboratory")
SOURCES = ["*.rs", "*.java", "*.scala", "*.cpp", "*.hpp", "*.c", "*.sh", "*.py"]

# Assertions per hundred functions, at least. To become higher only.
FLOORS = {"range": 5, "store": 6, "pool": 6, "ssd": 8}
ASSERTION = re.compile(r"\b(?:debug_)?assert(?:_eq|_ne)?!")
FUNCTION = re.compile(r"^\s*(?:pub(?:\([\w: ]+\))? )?(?:const )?(?:unsafe )?(?:extern \"C\" )?fn \w", re.MULTILINE)

# The crates that libztera.so is made of.
LIBRARY = ["ffi/src"] + [f"engine/{name}/src" for name in
                         ("cgroup", "codec", "log", "metrics", "policy", "pool", "range", "ssd", "store", "sync", "trace")]
ENVIRONMENT = re.compile(r"\benv::(?:var|vars|var_os|vars_os)\b|\bgetenv\b")


def parts(path, text):
    """(code, tests) of a source: a test in Rust may stand behind what it tests."""
    if path.suffix != ".rs":
        return text, ""
    code, *tests = re.split(r"(?=^#\[cfg\(test\)\]\n(?:pub )?mod tests \{)", text, maxsplit=1, flags=re.MULTILINE)
    return code, "".join(tests)


def kind(path):
    """The purpose of a file."""
    names = [(len(name), of) for of, folders in (("tests", TESTS), ("laboratory", LABORATORY)) for name in folders
             if str(path).startswith(name + "/")]
    inner = {"tests", "test", "benches", "examples"} & set(path.parts[1:-1])
    is_test = inner or path.stem in circles.TESTS or path.stem.endswith("_test")
    return "tests" if is_test else max(names)[1] if names else "product"


def lines_by_folder(sources):
    """{top folder: {kind: lines}}, of (path, text) of each."""
    found = {}
    for path, text in sources:
        of = found.setdefault(path.parts[0], dict.fromkeys(KINDS, 0))
        code, tests = parts(path, text)
        of[kind(path)] += code.count("\n")
        of["tests"] += tests.count("\n")
    return found


def table(found):
    """The lines of a table of lines by folder."""
    rows = [[name, *(str(of[it]) for it in KINDS)] for name, of in sorted(found.items())]
    rows.append(["all", *(str(sum(of[it] for of in found.values())) for it in KINDS)])
    return ["".join(f"{cell:>12}" if at else f"{cell:12}" for at, cell in enumerate(row)) for row in [["lines of", *KINDS], *rows]]


def without_comments(path, text):
    return re.sub(r"//.*", "", parts(path, text)[0])


def assertions(sources):
    """(assertions, functions) of (path, text) of each, without tests."""
    texts = [without_comments(path, text) for path, text in sources if kind(path) == "product"]
    return sum(len(ASSERTION.findall(text)) for text in texts), sum(len(FUNCTION.findall(text)) for text in texts)


def reads_environment(sources):
    """The places at which code reads the environment."""
    return [str(path) for path, text in sources if kind(path) == "product" and ENVIRONMENT.search(without_comments(path, text))]


def read(*patterns):
    return [(path, path.read_text(errors="replace")) for path in tracked(*patterns)]


def main():
    print("\n".join(table(lines_by_folder(read(*SOURCES)))))
    rust, hotspot = circles.rust_circles(), circles.hotspot_circles()
    wrong = [f"circle: {it}" for it in rust + hotspot]
    print(f"circles of modules: {len(rust)} in Rust, {len(hotspot)} in HotSpot's classes of H2")
    for name, floor in FLOORS.items():
        asserted, functions = assertions(read(f"engine/{name}/src/*.rs"))
        print(f"{name}: {asserted} assertions in {functions} functions")
        if 100 * asserted < floor * functions:
            wrong.append(f"{name} has fewer than {floor} assertions per hundred functions")
    wrong += [f"{path} reads the environment" for path in reads_environment(read(*(f"{folder}/*.rs" for folder in LIBRARY)))]
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
