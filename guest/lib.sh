# shellcheck shell=bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# The guest's tests share this. A test is a function that runs in a shell of its own, and fails with its first command
# that does. It takes away what it made by `later`.

passed=0 failed=0
at='' server='' # of `serve`

# check NAME COMMAND...: one test, one line; with all its output where it fails. A test that skips something has failed:
# the guest is there so that nothing is. The kernel's command line may say `only=PART`: tests with that in their name.
check() {
    local name=$1 log=/tmp/log start=$SECONDS status
    [[ $name == *"${only:-}"* ]] || return 0
    shift
    rm -f /tmp/note
    (
        set -eu -o pipefail
        trap 'undo' EXIT
        "$@"
    ) >$log 2>&1 </dev/null
    status=$?
    if (( status == 0 )) && ! grep -q SKIPPED $log; then
        passed=$((passed + 1))
        echo "ok $name ($((SECONDS - start)) s)$(cat /tmp/note 2>/dev/null)"
    else
        failed=$((failed + 1))
        echo "FAILED $name: $(grep -m 1 SKIPPED $log || tail -n 1 $log)"
        sed 's/^/    /' $log
        dmesg | tail -n 20 | sed 's/^/    kernel: /'
    fi
}

# later COMMAND: done at the end of the test, the last one first.
undoing=()
later() { undoing=("$1" "${undoing[@]}"); }
undo() {
    set +e
    local command
    for command in "${undoing[@]}"; do eval "$command"; done
}

# undo_now: as at the end of a test, which then has nothing left to undo.
undo_now() {
    (undo)
    undoing=()
}

# note TEXT: more on the line of a test that passes.
note() { echo ": $*" >/tmp/note; }

# new_zram SETTING...: $zram is the name of a new device; each setting is NAME=VALUE, in order.
new_zram() {
    local number setting
    number=$(cat /sys/class/zram-control/hot_add)
    zram=zram$number
    later "echo 1 >/sys/block/$zram/reset; echo $number >/sys/class/zram-control/hot_remove"
    for setting in "$@"; do echo "${setting#*=}" >"/sys/block/$zram/${setting%%=*}"; done
}

# leave_samples COMMAND...: its output is lines for the laboratory: in /samples, and on the disk that the host reads.
leave_samples() {
    later "cat /samples >/dev/vdc; sync"
    "$@" | tee -a /samples
}

# left_behind: all that a measurement sets up, and has to take away.
left_behind() {
    cat /proc/swaps /proc/mounts /proc/sys/vm/{swappiness,page-cluster} /sys/kernel/mm/lru_gen/enabled
    echo /sys/block/[!l]* /sys/fs/cgroup/* /tmp/*
    losetup --all
    grep -l -s -e redis -e ztera /proc/[0-9]*/comm || true
}

# fails COMMAND...: it does, and by itself.
fails() {
    local status=0
    timeout 60 "$@" || status=$?
    (( status > 0 && status < 124 )) || { echo "status $status, which is no failure: $*" >&2; return 1; }
}

# serve OPTION...: starts a server, which is ended with the test. $at is what it serves at, $server its process.
serve() {
    rm -f /tmp/serve.out
    ztera disk serve "$@" >/tmp/serve.out &
    server=$!
    later "kill $server 2>/dev/null; wait $server"
    until grep -qs '^  statistics' /tmp/serve.out; do
        kill -0 "$server"
        sleep 0.1
    done
    at=$(sed -n 's/^serving .* at \(.*\); Ctrl-C ends it$/\1/p' /tmp/serve.out)
}

# statistic NAME: a number that the server shows.
statistic() { ztera disk stat --json "$at" | sed -n "s/^ *\"$1\": \([0-9]*\),*$/\1/p"; }

# nothing_failed: the server has refused and lost nothing.
nothing_failed() { (( $(statistic failed_reads) == 0 && $(statistic failed_writes) == 0 )); }

# fill FOLDER: files of text, of machine code and of noise, with their checksums.
fill() {
    seq 400000 >"$1/text"
    cp /bin/bash /bin/ztera "$1"
    head -c 3000001 /dev/urandom >"$1/noise"
    (cd "$1" && sha256sum text bash ztera noise >sums)
}

# keeps_files DEVICE: an ext4 file system on it keeps its files, and is whole.
keeps_files() {
    mkfs.ext4 -q "$1"
    mkdir -p /mnt/files
    later "umount /mnt/files 2>/dev/null"
    mount -o discard "$1" /mnt/files
    fill /mnt/files
    cp /mnt/files/text /mnt/files/gone
    rm /mnt/files/gone
    umount /mnt/files
    fsck.ext4 -f -n "$1"
    forget
    mount "$1" /mnt/files
    (cd /mnt/files && sha256sum -c sums)
    umount /mnt/files
}

# forget: the kernel's cache is gone, so reads come from devices.
forget() { sync; echo 3 >/proc/sys/vm/drop_caches; }

# frees_and_zeroes DEVICE: discarded and zeroed bytes are zeros, and their neighbours are as before. It uses the first
# 4 MiB.
frees_and_zeroes() {
    head -c 4194304 /dev/urandom >/tmp/wanted
    dd if=/tmp/wanted of="$1" bs=1M oflag=direct status=none
    blkdiscard --offset 1048576 --length 1048576 "$1"
    blkdiscard --zeroout --offset 2105344 --length 12288 "$1"
    dd if=/dev/zero of=/tmp/wanted bs=1M seek=1 count=1 conv=notrunc status=none
    dd if=/dev/zero of=/tmp/wanted bs=4096 seek=514 count=3 conv=notrunc status=none
    dd if="$1" of=/tmp/is bs=1M count=4 iflag=direct status=none
    cmp /tmp/wanted /tmp/is
    rm /tmp/wanted /tmp/is
}

# gives_nothing DEVICE: from a device whose server is killed come no bytes, and writes fail. It is open by then, as for
# a file system. (A removed device is one of no length, so reads end at once.)
gives_nothing() {
    dd if=/bin/bash of="$1" bs=64k count=16 oflag=direct status=none
    exec 3<>"$1"
    kill -KILL "$server"
    wait "$server" || true
    rm -f /tmp/is
    timeout 60 dd of=/tmp/is bs=64k count=16 iflag=direct status=none <&3 || true
    [[ ! -s /tmp/is ]]
    fails dd if=/bin/bash bs=64k count=1 oflag=direct status=none >&3
    exec 3<&-
}

# swaps DEVICE: a program that has less than half of the memory that it needs finds all its pages.
swaps() {
    local group=/sys/fs/cgroup/swaps before out
    mkswap "$1"
    later "swapoff $1 2>/dev/null"
    swapon --discard "$1"
    echo +memory >/sys/fs/cgroup/cgroup.subtree_control
    mkdir $group
    later "rmdir $group"
    echo 32M >$group/memory.max
    before=$(swapped_out)
    # shellcheck disable=SC2016 # that shell's own process
    out=$(echo go | ZTERA_SWAP_TEST=1 bash -c "echo \$\$ >$group/cgroup.procs; exec \"\$@\"" - \
        /rust/swap --exact pages_under_pressure --ignored --nocapture)
    grep 'every page was right' <<<"$out"
    (( $(swapped_out) - before > 10000 ))
    note "$(( $(swapped_out) - before )) pages swapped out"
    swapoff "$1"
}

swapped_out() { sed -n 's/^pswpout //p' /proc/vmstat; }
