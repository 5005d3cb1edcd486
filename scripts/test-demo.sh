#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# test-demo.sh: the README's main command, without its stock arm. The answers have to be the reference's, within a limit
# of half the live data, by one flag.

set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
out=out/test/demo

# Exits with a reason if the JVM got another flag, or the program helped.
gives_one_flag() {
    python3 - "$1" <<'EOF'
import json
import sys

report = json.load(open(sys.argv[1]))
command = next(arm for arm in report["arms"] if arm["name"] == "ztera")["command"]
flags = [word for word in command[1:command.index("-jar")] if not word.startswith("-Xlog:")]
if len(flags) != 1 or not flags[0].startswith("-XX:H2Size="):
    sys.exit(f"the JVM got {flags}")
if command[-2:] != ["--place", "off"]:
    sys.exit("the program tagged")
if report["factor"] < 1.9:
    sys.exit(f"the live data are {report['factor']:.2f} times the limit")
EOF
}

if build/ztera demo --skip-stock --out "$out" && gives_one_flag "$out/demo.json"; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
