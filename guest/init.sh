#!/bin/bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# The guest's first process, and the only one that it starts by itself: makes the kernel ready, runs the tests, and
# switches off. The host takes the last line as proof that all of them ran.

export PATH=/bin LC_ALL=C HOME=/root CARGO_BIN_EXE_ztera=/bin/ztera
mount -t devtmpfs dev /dev
exec <>/dev/console >&0 2>&1
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs tmp /tmp
mount -t cgroup2 cgroup /sys/fs/cgroup
[[ ! -e /proc/sys/kernel/io_uring_disabled ]] || echo 0 >/proc/sys/kernel/io_uring_disabled
while read -r module; do
    insmod "/modules/$module.ko" || echo "the module $module does not load"
done </modules/order
echo "guest: Linux $(uname -r)"

# broken FILE STATUS: tests that were not read, as of a file with a syntax error, have failed.
broken() {
    failed=$((failed + 1))
    echo "FAILED ${1##*/}: it ends with status $2, and may have more tests than ran"
}

# shellcheck source=guest/lib.sh
source /tests/lib.sh
for file in /tests/*.sh; do
    [[ $file != */lib.sh ]] || continue
    # Not as a condition: the shell would go on after a test's first command that fails.
    # shellcheck disable=SC1090
    source "$file"
    status=$?
    (( status == 0 )) || broken "$file" "$status"
done
# shellcheck disable=SC2154 # both are of lib.sh
echo "$passed passed, $failed failed"
echo "guest: all tests ran"
sync
sleep 1
echo b >/proc/sysrq-trigger # with QEMU's -no-reboot that is the end
sleep 60
