# shellcheck shell=bash disable=SC2154 # `at` and `server` are of lib.sh
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# The kernel's zram beside ours.

zram_zstd() {
    new_zram comp_algorithm=zstd disksize=256M
    grep -F '[zstd]' "/sys/block/$zram/comp_algorithm"
    keeps_files "/dev/$zram"
}

# written DISK: bytes written to it so far.
written() {
    local fields
    read -ra fields <"/sys/block/$1/stat"
    echo $((fields[6] * 512))
}

# Both get the same pages, and write all of them to a disk of their own.
write_back() {
    local pages kernels ours before
    # Text, and noise; no page of one repeated word, which zram would keep.
    { seq 1000000; head -c 1500000 /dev/urandom; } >/tmp/pages
    truncate -s 8M /tmp/pages
    pages=2048

    new_zram comp_algorithm=zstd backing_dev=/dev/vda disksize=64M
    dd if=/tmp/pages of="/dev/$zram" bs=1M oflag=direct status=none
    before=$(written vda)
    echo all >"/sys/block/$zram/idle"
    echo idle >"/sys/block/$zram/writeback"
    kernels=$(($(written vda) - before))

    serve --ublk --size 64m --memory-limit 64m --codec zstd --path /dev/vdb
    dd if=/tmp/pages of="$at" bs=1M oflag=direct status=none
    before=$(written vdb)
    ztera disk writeback "$at"
    ours=$(($(written vdb) - before))

    forget
    cmp -n 8388608 /tmp/pages "/dev/$zram"
    cmp -n 8388608 /tmp/pages "$at"
    rm /tmp/pages
    note "$pages pages: the kernel wrote $((kernels / pages)) bytes for each, ztera $((ours / pages))"
    (( kernels >= pages * 4096 && ours > 0 && ours < kernels ))
}

check zram_with_zstd_keeps_files zram_zstd
check writeback_beside_the_kernels write_back
