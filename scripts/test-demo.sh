#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# test-demo.sh: the README's main command, without its stock arm. The answers have to be the reference's, within a limit
# of half the live data, by one flag.

set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
if build/ztera demo --skip-stock --out out/test/demo; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
