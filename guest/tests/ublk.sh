# shellcheck shell=bash disable=SC2154 # `at` and `server` are of lib.sh
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# The device as a block device of the kernel.

ublk_files() {
    serve --ublk --size 256m --memory-limit 128m
    keeps_files "$at"
    nothing_failed
}

ublk_zeroes() {
    serve --ublk --size 64m
    frees_and_zeroes "$at"
}

ublk_death() {
    serve --ublk --size 64m
    gives_nothing "$at"
}

# A server that is asked to end waits until nobody uses the device.
ublk_end() {
    serve --ublk --size 64m
    mkfs.ext4 -q "$at"
    mkdir -p /mnt/busy
    mount "$at" /mnt/busy
    kill "$server"
    sleep 1
    kill -0 "$server"
    echo precious >/mnt/busy/file
    umount /mnt/busy
    wait "$server"
    [[ ! -e $at && ! -e $at.control ]]
}

check ublk_keeps_files ublk_files
check ublk_frees_and_zeroes ublk_zeroes
check ublk_of_a_killed_server ublk_death
check ublk_ends_when_nobody_uses_it ublk_end
