#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""contents.py TREE VERSION EPOCH: writes what the package in TREE is made of, into its folder legal/ztera.

sbom.cdx.json lists the parts, in the form of CycloneDX 1.5: the JDK, our own programs, and the crates in them. crates.txt
has the crates' licences, whose authors ask for that.
"""

import hashlib
import json
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

OURS = ["bin/ztera", "lib/libztera.so", "lib/server/libjvm.so", "lib/modules", "lib/ztera/ztera-api.jar", "lib/ztera/ztera-demo.jar",
        "lib/ztera/ztera-micrometer.jar", "lib/ztera/ztera-spark_2.13.jar"]
SHIPPED = ["ztera-ffi", "ztera-cli"]
NOTICES = ("LICENSE", "LICENCE", "COPYING", "NOTICE")
TARGET = "x86_64-unknown-linux-gnu"


def shipped_crates(metadata):
    """Crates of others that SHIPPED are built of, without those that only tests and builds need."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    todo = [key for key, package in packages.items() if package["name"] in SHIPPED]
    seen = set(todo)
    while todo:
        for dependency in nodes[todo.pop()]["deps"]:
            normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if normal and dependency["pkg"] not in seen:
                seen.add(dependency["pkg"])
                todo.append(dependency["pkg"])
    return sorted((packages[key] for key in seen if packages[key]["source"]), key=lambda p: (p["name"], p["version"]))


def crate(package):
    """A crate as a component."""
    purl = f"pkg:cargo/{package['name']}@{package['version']}"
    return {"type": "library", "bom-ref": purl, "name": package["name"], "version": package["version"], "purl": purl,
            "licenses": [{"expression": package["license"].replace("/", " OR ")}]}


def file(tree, name, version):
    """A file of our own as a component."""
    digest = hashlib.sha256((tree / name).read_bytes()).hexdigest()
    return {"type": "file", "bom-ref": name, "name": name, "version": version, "hashes": [{"alg": "SHA-256", "content": digest}]}


def jdk(tree):
    """The JDK as a component, as its file `release` describes it."""
    release = dict(line.split("=", 1) for line in (tree / "release").read_text().splitlines() if "=" in line)
    version = release["JAVA_RUNTIME_VERSION"].strip('"')
    return {"type": "framework", "bom-ref": "openjdk", "name": "OpenJDK", "version": version,
            "licenses": [{"expression": "GPL-2.0-only WITH Classpath-exception-2.0"}]}


def licence_texts(package):
    """The licence files of a crate, and of the C library in it, as their authors wrote them."""
    folder = Path(package["manifest_path"]).parent
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name.upper().startswith(NOTICES))
    return "\n".join(path.read_text(errors="replace").strip() for path in paths) or f"(no licence file; {package['license']})"


def bill(tree, version, epoch, crates):
    """The whole list."""
    components = [jdk(tree), *(file(tree, name, version) for name in OURS if (tree / name).exists()), *map(crate, crates)]
    serial = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(components, sort_keys=True)) # the same for the same contents
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{serial}", "version": 1,
            "metadata": {"timestamp": datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "component": {"type": "application", "bom-ref": "ztera-jdk", "name": "ztera-jdk", "version": version}},
            "components": components}


def main():
    tree, version, epoch = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", TARGET]
    crates = shipped_crates(json.loads(subprocess.run(command, check=True, capture_output=True).stdout))
    folder = tree / "legal/ztera"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sbom.cdx.json").write_text(json.dumps(bill(tree, version, epoch, crates), indent=1) + "\n")
    texts = (f"{'=' * 100}\n{p['name']} {p['version']} ({p['license']})\n\n{licence_texts(p)}\n" for p in crates)
    (folder / "crates.txt").write_text("\n".join(texts))


main()
