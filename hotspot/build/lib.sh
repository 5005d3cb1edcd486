# shellcheck shell=bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# The functions that every build script shares. A script prints its one result (a path) on standard output and
# everything meant for a person on standard error.

set -euo pipefail
shopt -s inherit_errexit nullglob

ZTERA_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
ZTERA_CACHE=${ZTERA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ztera}
export ZTERA_ROOT ZTERA_CACHE

say() { printf 'ztera: %s\n' "$*" >&2; }
die() { printf 'ztera: error: %s\n' "$*" >&2; exit 1; }

[[ $ZTERA_CACHE != *[[:space:]]* ]] || die "the JDK's build takes no path with spaces: ZTERA_CACHE=$ZTERA_CACHE"

# check_level LEVEL: the debug levels of HotSpot that this project builds.
check_level() { [[ ${1:-} == release || ${1:-} == fastdebug ]] || die "give a level: release or fastdebug"; }

# short_hash: a short name for the bytes on standard input.
short_hash() { sha256sum | cut -c1-16; }

# with_lock NAME COMMAND...: one process at a time. The command's children do not inherit the lock, so a daemon that one
# of them leaves behind (the JDK build's javac server) does not keep it.
with_lock() {
    local name=$1 fd
    shift
    mkdir -p "$ZTERA_CACHE/locks"
    exec {fd}>"$ZTERA_CACHE/locks/$name"
    flock -n "$fd" || { say "another build holds '$name'; waiting for it"; flock "$fd"; }
    eval '"$@" '"$fd>&-"
    exec {fd}>&-
}

# scratch NAME: a new empty folder on the cache's file system, so that `publish` is a rename.
scratch() {
    mkdir -p "$ZTERA_CACHE/tmp"
    find "$ZTERA_CACHE/tmp" -mindepth 1 -maxdepth 1 -mtime +1 -exec rm -rf {} +
    mktemp -d "$ZTERA_CACHE/tmp/$1.XXXXXX"
}

# publish DIR ENTRY: the finished folder DIR becomes the cache entry ENTRY in one step, so that no one ever sees half of
# it. Entries are named by content: when another process was first, its entry is as good as ours.
publish() {
    local entry=$ZTERA_CACHE/$2
    mkdir -p "$(dirname "$entry")"
    chmod 755 "$1"
    if ! mv -T "$1" "$entry" 2>/dev/null; then
        [[ -d $entry ]] || die "cannot write $entry"
        rm -rf "$1"
    fi
}

# run_logged LOG LABEL COUNT COMMAND...: runs COMMAND with its output in LOG. Every 15 s a line with LABEL, what the
# function COUNT prints, and the time; the end of the log when it fails.
run_logged() {
    local log=$1 label=$2 count=$3 start=$SECONDS next=15 status=0 pid
    shift 3
    mkdir -p "$(dirname "$log")"
    set -m # a process group of its own, so that all of it ends when we are interrupted
    "$@" >"$log" 2>&1 </dev/null &
    pid=$!
    set +m
    # shellcheck disable=SC2064 # the pid of now is what is meant
    trap "kill -- -$pid 2>/dev/null" INT TERM HUP
    while kill -0 "$pid" 2>/dev/null; do
        sleep 0.2
        (( SECONDS - start >= next )) || continue
        say "$label: $($count)$((SECONDS - start)) s"
        next=$((next + 15))
    done
    wait "$pid" || status=$?
    trap - INT TERM HUP
    (( status == 0 )) && return
    tail -n 40 "$log" >&2
    die "$label failed (status $status); the whole log: $log"
}

# no_count: the COUNT of a step that has nothing to count.
no_count() { :; }
