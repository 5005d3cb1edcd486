#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# in-root.sh USER DIR COMMAND: runs a shell command in another root, as user and group USER (a number). Its mounts and
# processes end with it.

set -euo pipefail
export user=$1 root=$2 command=$3
# shellcheck disable=SC2016 # for the inner shell
exec unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/home chroot --userspec="$user:$user" "$root" /bin/sh -c "$command"'
