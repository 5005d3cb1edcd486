#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# check.sh: what a reviewer should not have to look at. Formatting, lints, dependencies, licences, shell scripts,
# English, links in documents, subjects of commits, and patches that must apply. A tool that is missing is installed
# first.

set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../hotspot/test/check.sh"
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

# files PATTERN...: tracked files.
files() { git ls-files -- "$@" | while read -r f; do [[ -e $f ]] && echo "$f"; done; }

# needs COMMAND PACKAGE: sees to it that a command of the distribution is there.
needs() { command -v "$1" >/dev/null || hotspot/build/require.sh "$2" || true; }

# tool NAME VERSION [OPTION...] -- ARGUMENT...: runs a tool of crates.io.
tool() {
    local install=() path
    while [[ $1 != -- ]]; do install+=("$1"); shift; done
    shift
    path=$(scripts/cargo-tool.sh "${install[@]}") || return
    "$path" "$@"
}

# holds_loudly NAME COMMAND...: like holds, with the command's output on failure.
holds_loudly() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1 </dev/null); then pass "$name"; else fail "$name" "$(tail -n 60 <<<"$output")"; fi
}

# clean_list NAME FUNCTION: the function prints nothing.
clean_list() {
    local list
    list=$("$2")
    if [[ -z $list ]]; then pass "$1"; else fail "$1" "$list"; fi
}

rust() {
    holds_loudly "Rust is formatted (cargo fmt)" cargo fmt --all --check
    holds_loudly "clippy has nothing to say" cargo clippy --quiet --workspace --all-targets -- -D warnings
    holds_loudly "policy forbids unsafe code" grep -qx '#!\[forbid(unsafe_code)\]' engine/policy/src/lib.rs
    holds_loudly "no crate has a dependency that it does not use" \
        tool cargo-machete 0.9.2 -- --with-metadata --skip-target-dir .
    holds_loudly "licences and sources of crates are allowed (deny.toml)" \
        tool cargo-deny 0.20.2 --no-default-features -- --locked check licenses bans sources
}

# aarch64: what libztera.so is built of, for another CPU. Nothing is linked, so its C parts need no compiler: one that
# writes empty files will do. A compiler that takes `-?` would get the options of Microsoft's.
aarch64() {
    local target=aarch64-unknown-linux-gnu name="the engine compiles for aarch64" cc=out/no-cc.sh
    if ! rustc --print target-libdir --target $target | xargs test -d && ! rustup target add $target >/dev/null 2>&1; then
        echo "SKIPPED, $name: its standard library is missing, and rustup cannot add it"
        return
    fi
    mkdir -p out
    # shellcheck disable=SC2016 # for that script
    printf '#!/bin/sh\n[ "$1" != "-?" ] || exit 1\nwhile [ $# -gt 0 ]; do [ "$1" != -o ] || : >"$2"; shift; done\n' >"$cc" && chmod +x "$cc"
    holds_loudly "$name" env CC_aarch64_unknown_linux_gnu="$PWD/$cc" cargo check --quiet --locked --target $target -p ztera-ffi
}

shell_scripts() {
    local scripts
    mapfile -t scripts < <(files '*.sh' .ci/run)
    needs shellcheck shellcheck
    holds_loudly "shellcheck has nothing to say" shellcheck "${scripts[@]}"
}

tree() {
    needs python3 python3
    holds_loudly "the checks notice what they are for" python3 scripts/checks/checks_test.py
    holds_loudly "no line is too long" python3 scripts/checks/lines.py
    holds_loudly "sentences name their actor and are short" python3 scripts/checks/prose.py
    holds_loudly "measurements name the command that printed them" python3 scripts/checks/figures.py
    holds_loudly "dependencies between crates point down" python3 scripts/checks/layers.py
    holds_loudly "no modules or classes know each other in a circle" python3 scripts/checks/circles.py
    holds_loudly "invariants are asserted, and the library reads no environment" python3 scripts/checks/house.py
    holds_loudly "H2 names no collector outside of its folder" python3 scripts/checks/collectors.py
    holds_loudly "the table of situations is what the tests say" python3 scripts/checks/situations.py
    holds_loudly "subjects of commits are short and imperative" python3 scripts/checks/subjects.py
}

# missing_notice: source files without the notice of their licence. Rust crates carry theirs in Cargo.toml.
missing_notice() {
    local file
    while read -r file; do
        head -n 8 "$file" | grep -q 'Copyright (c) 2026, the ZTera authors' &&
            head -n 30 "$file" | grep -Eq 'GPL-2.0-only|General Public License' || echo "$file"
    done < <(files 'hotspot/*.[ch]pp' 'hotspot/*.sh' 'hotspot/*.awk' 'java/*.java' 'java/*.xml' \
        'lab/*.java' 'lab/*.scala' 'lab/*.xml' 'guest/*.sh' 'scripts/*.sh' 'scripts/*.py')
    while read -r file; do
        grep -q '^\[workspace\]$' "$file" || grep -Eq '^license(\.workspace = true| = "MIT OR Apache-2.0")' "$file" || echo "$file"
    done < <(files '*Cargo.toml')
}

# dead_links: relative links in documents that lead nowhere.
dead_links() {
    local doc link
    while read -r doc; do
        while read -r link; do
            [[ $link == *://* || $link == '#'* || $link == mailto:* ]] && continue
            [[ -e $(dirname "$doc")/${link%%#*} ]] || echo "$doc -> $link"
        done < <(grep -oE '\]\([^)[:space:]]+\)' "$doc" | sed 's/^](//; s/)$//')
    done < <(files '*.md')
}

# long_documents: documents beyond the length that keeps them readable.
long_documents() {
    local doc lines most
    while read -r most doc; do
        lines=$(wc -l <"$doc")
        (( lines <= most )) || echo "$doc has $lines lines, $most at most"
    done < <(echo 80 README.md; echo 150 ARCHITECTURE.md; files 'docs/decisions/*.md' | sed 's/^/40 /')
}

rust
aarch64
shell_scripts
tree
clean_list "every source file names its licence" missing_notice
clean_list "no document has a dead link" dead_links
clean_list "no document is too long" long_documents
holds_loudly "every deliberate mistake in H2 still applies" scripts/mutations.sh hotspot/test/mutations --check
holds_loudly "every deliberate mistake in the engine still applies" scripts/mutations.sh engine/models/mutations --check
holds_loudly "hooks.patch applies and is as refresh-patch.sh writes it" hotspot/build/refresh-patch.sh --check
finish
