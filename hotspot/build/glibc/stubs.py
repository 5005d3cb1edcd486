#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# stubs.py DIR: writes NAME.s and NAME.map for each stub library, in folders named by soname: this machine's glibc with
# other default versions. A program gets the default version of each symbol that it calls. Here that is the newest one
# that glibc 2.28 had; a symbol that 2.28 did not have has no default. Other libraries of this machine, which name the
# versions that they want, find all of them. glibc keeps old versions for good: so such programs run on newer ones too.

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

NEWEST = (2, 28)
# Until 2.33 these functions were in libraries of their own, and a program has to name those.
MOVED = [
    ("libpthread.so.0", re.compile(r"_?_?(pthread|sem|thrd|mtx|cnd|tss)_|call_once$")),
    ("libdl.so.2", re.compile(r"dl(addr1?|close|error|info|m?open|v?sym)$")),
    ("librt.so.1", re.compile(r"(aio|lio|mq|shm|timer)_")),
    ("libutil.so.1", re.compile(r"(openpty|forkpty|login|login_tty|logout|logwtmp)$")),
]
# newer/start.c defines it itself, and calls the old one by name and version.
NO_DEFAULT = {"__libc_start_main"}
LINE = re.compile(r"\s*\d+: (\w+)\s+(\S+)\s+(FUNC|OBJECT|IFUNC|TLS|NOTYPE)\s+\S+\s+\S+\s+(?!UND)\S+\s+(\w+)@@?GLIBC_([\d.]+)")
SECTIONS = {"OBJECT": ".data", "TLS": '.section .tbss,"awT",@nobits'}
TYPES = {"OBJECT": "@object", "TLS": "@tls_object"}


class Symbol(NamedTuple):
    """What a linker knows of a symbol. Symbols of one address are one object under several names."""
    kind: str
    size: int
    address: str


def output_of(*command):
    """What a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(library):
    """All versions of each symbol: {name: {version: Symbol}}."""
    found = defaultdict(dict)
    table = output_of("readelf", "-W", "--dyn-syms", output_of("gcc", f"-print-file-name={library}").strip())
    for address, size, kind, name, version in (m.groups() for m in map(LINE.match, table.splitlines()) if m):
        found[name][tuple(map(int, version.split(".")))] = Symbol(kind, int(size, 0), address)
    return found


def default(name, versions):
    """The version that programs get, if any."""
    return None if name in NO_DEFAULT else max((version for version in versions if version <= NEWEST), default=None)


def node(version):
    """The name of a version."""
    return "GLIBC_" + ".".join(map(str, version))


def assembly(table):
    """Definitions of all symbols, each object with all its names."""
    objects = defaultdict(list)
    for name, versions in sorted(table.items()):
        for version, symbol in sorted(versions.items()):
            label = name if version == default(name, versions) else f"{name}.{node(version)}"
            place = symbol.address if symbol.kind in SECTIONS else label # versions of a function need places of their own
            objects[(symbol.kind, place)].append((label, name, version, symbol.size))
    for (kind, _), names in objects.items():
        yield SECTIONS.get(kind, ".text")
        for label, name, version, size in names:
            yield f".globl {label}\n.type {label},{TYPES.get(kind, '@function')}\n.size {label},{size}\n{label}:"
            if label != name:
                yield f".symver {label},{name}@{node(version)},remove"
        yield f".skip {max(size for *_, size in names) if kind in SECTIONS else 1}"
    yield '.section .note.GNU-stack,"",@progbits'


def version_script(table):
    """All versions, and which of them is the default of which symbol."""
    nodes = defaultdict(list)
    for name, versions in sorted(table.items()):
        for version in versions:
            nodes[version] += [f"{name};"] if version == default(name, versions) else []
    for version in sorted(nodes):
        yield f"{node(version)} {{ {'global: ' if nodes[version] else ''}{' '.join(nodes[version])} }};"


def write(folder, soname, table):
    """The sources of one stub."""
    (folder / soname).mkdir()
    (folder / soname / "stub.s").write_text("\n".join(assembly(table)) + "\n")
    (folder / soname / "stub.map").write_text("\n".join(version_script(table)) + "\n")


def move_out(libc, pattern):
    """Takes out of libc what was elsewhere in 2.28. Other libraries still find it in libc, in its newer version."""
    moved = {}
    for name, versions in libc.items():
        if pattern.match(name) and default(name, versions) and max(versions) > NEWEST:
            moved[name] = {version: versions.pop(version) for version in list(versions) if version <= NEWEST}
    return moved


def main():
    folder = Path(sys.argv[1])
    libc = symbols("libc.so.6")
    for soname, pattern in MOVED:
        write(folder, soname, move_out(libc, pattern))
    write(folder, "libc.so.6", libc)
    write(folder, "libm.so.6", symbols("libm.so.6"))


main()
