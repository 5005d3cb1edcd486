#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# install-changed.sh FROM TO: copies a file whose content changed, by a rename, so that a process that runs or has
# mapped the old one keeps it.

set -euo pipefail
cmp -s "$1" "$2" && exit
mkdir -p "$(dirname "$2")"
cp "$1" "$2.new.$$"
mv "$2.new.$$" "$2"
