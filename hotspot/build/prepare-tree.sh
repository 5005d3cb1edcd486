#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# Prints the work tree: the OpenJDK source with hotspot/src laid over it and hotspot/hooks.patch applied.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$ZTERA_ROOT/hotspot/build/patch.sh"
source "$ZTERA_ROOT/hotspot/build/tree.sh"

source=$("$ZTERA_ROOT/hotspot/build/fetch-source.sh")
work=$ZTERA_CACHE/work/${source##*/}
with_lock "work-${source##*/}" lay_files "$source" "$work"
echo "$work/tree"
