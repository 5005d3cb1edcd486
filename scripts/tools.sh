#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# tools.sh: sees to it that what the engine, the command and the Java parts are built with is there: a Rust toolchain
# new enough for Cargo.toml, a C compiler and Maven. (What HotSpot needs is hotspot/build/build-hotspot.sh's business.)

source "$(dirname "${BASH_SOURCE[0]}")/../hotspot/build/lib.sh"
require=$ZTERA_ROOT/hotspot/build/require.sh

# at_least WANTED HAVE: compares versions.
at_least() { [[ $(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]; }

rust_version() { { rustc --version 2>/dev/null || true; } | cut -d' ' -f2; }

check_rust() {
    local wanted
    wanted=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$ZTERA_ROOT/Cargo.toml")
    if ! command -v cargo >/dev/null && (( EUID == 0 )) && apt-cache show rustup >/dev/null 2>&1; then
        "$require" rustup
        run_logged "$ZTERA_CACHE/logs/rustup.log" "installing Rust" no_count rustup default stable
    fi
    at_least "$wanted" "$(rust_version)" ||
        die "Rust $wanted or newer is needed, here is: $(rust_version | grep . || echo none). Install it with rustup (https://rustup.rs)"
}

command -v cc >/dev/null || "$require" gcc libc6-dev
check_rust
command -v mvn >/dev/null || "$require" maven
command -v mvn >/dev/null || die "Maven is needed: install the package 'maven' of your distribution"
