# shellcheck shell=bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# The kernel's own NBD client.

# by_nbd OPTION...: serves a device, which is /dev/nbd0 then.
by_nbd() {
    serve --socket /tmp/nbd.sock "$@"
    nbd-client -unix /tmp/nbd.sock /dev/nbd0
    later "nbd-client -d /dev/nbd0"
}

nbd_files() {
    by_nbd --size 256m --memory-limit 128m
    keeps_files /dev/nbd0
    nothing_failed
}

nbd_zeroes() {
    by_nbd --size 64m
    frees_and_zeroes /dev/nbd0
}

nbd_death() {
    by_nbd --size 64m
    gives_nothing /dev/nbd0
}

check nbd_keeps_files nbd_files
check nbd_frees_and_zeroes nbd_zeroes
check nbd_of_a_killed_server nbd_death
