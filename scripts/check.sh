#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# check.sh: what a reviewer should not have to look at. Formatting, lints, shell scripts, licences, links in documents, and
# that the hooks patch is the one that the script makes.

set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../hotspot/test/check.sh"
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

# files PATTERN...: tracked files.
files() { git ls-files -- "$@" | while read -r f; do [[ -e $f ]] && echo "$f"; done; }

rust() {
    holds_loudly "Rust is formatted (cargo fmt)" cargo fmt --all --check
    holds_loudly "clippy has nothing to say" cargo clippy --quiet --workspace --all-targets -- -D warnings
    if command -v cargo-deny >/dev/null; then
        holds_loudly "licences and sources of crates are allowed (deny.toml)" cargo deny --offline check licenses bans sources
    else
        echo "     cargo-deny is not installed: the licences of crates are not checked"
    fi
}

# holds_loudly NAME COMMAND...: like holds, with the command's output on failure.
holds_loudly() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1 </dev/null); then pass "$name"; else fail "$name" "$(tail -n 60 <<<"$output")"; fi
}

parse_all() {
    local script
    for script in "$@"; do bash -n "$script" || return 1; done
}

shell_scripts() {
    local scripts
    mapfile -t scripts < <(files '*.sh' .ci/run)
    if command -v shellcheck >/dev/null; then
        holds_loudly "shellcheck has nothing to say" shellcheck "${scripts[@]}"
    else
        echo "     shellcheck is not installed: shell scripts are only parsed"
    fi
    holds_loudly "every shell script parses" parse_all "${scripts[@]}"
}

# missing_notice: source files without the notice of their licence. Rust crates carry theirs in Cargo.toml.
missing_notice() {
    local file
    while read -r file; do
        head -n 8 "$file" | grep -q 'Copyright (c) 2026, the ZTera authors' && head -n 30 "$file" | grep -Eq 'GPL-2.0-only|General Public License' || echo "$file"
    done < <(files 'hotspot/*.[ch]pp' 'hotspot/*.sh' 'hotspot/*.awk' 'java/*.java' 'java/*.xml' 'scripts/*.sh')
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

# clean_list NAME FUNCTION: the function prints nothing.
clean_list() {
    local list
    list=$("$2")
    if [[ -z $list ]]; then pass "$1"; else fail "$1" "$list"; fi
}

rust
shell_scripts
clean_list "every source file names its licence" missing_notice
clean_list "no document has a dead link" dead_links
holds_loudly "every deliberate mistake in H2 still applies" hotspot/test/mutations.sh --check
holds_loudly "every deliberate mistake in the engine still applies" engine/models/mutations.sh --check
holds_loudly "hooks.patch applies and is as refresh-patch.sh writes it" hotspot/build/refresh-patch.sh --check
finish
