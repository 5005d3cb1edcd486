#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""layers.py: prints dependencies between crates that do not point down, and fails if there are any.

Cargo says which crates there are and what they depend on; LAYERS says which folders are below which.
"""

import json
import os
import subprocess
import sys

# From the bottom. A crate depends only on crates of lower layers, or of its own folder.
LAYERS = [
    ["engine/cgroup", "engine/fail", "engine/kit", "engine/log", "engine/trace"],
    ["engine/metrics", "engine/sync"],
    ["engine/policy", "engine/codec"],
    ["engine/accel", "engine/pool", "engine/ssd"],
    ["engine/store"],
    ["engine/range"],
    ["engine/sim", "ffi", "disk", "machine"],
    ["ffi/inject"],
    ["measure", "lab/workloads"],
    ["lab", "cli"],
    ["engine/models", "engine/fuzz", "test"],
]


def place(folder):
    """(layer, its folder) of a crate's folder, by the longest that fits; None if it has no place."""
    places = [(len(name), layer, name) for layer, names in enumerate(LAYERS) for name in names]
    fits = [it for it in places if folder == it[2] or folder.startswith(it[2] + "/")]
    return max(fits)[1:] if fits else None


def check(crates):
    """All complaints about crates, given as {folder: folders that it depends on}."""
    found = [f"{folder} has no place in the layers of {__file__}" for folder in crates if not place(folder)]
    for folder, below in crates.items():
        for dependency in below:
            mine, its = place(folder), place(dependency)
            if mine and its and its[0] >= mine[0] and its[1] != mine[1]:
                found.append(f"{folder} depends on {dependency}, which is not below it")
    return found


def crates_of(metadata):
    """The crates of this workspace, as check() wants them."""
    root = metadata["workspace_root"]
    def relative(path):
        return os.path.relpath(path, root)
    return {
        relative(os.path.dirname(package["manifest_path"])): sorted(
            relative(dependency["path"]) for dependency in package["dependencies"] if dependency.get("path")
        )
        for package in metadata["packages"]
    }


def main():
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1"]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    found = check(crates_of(metadata))
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
