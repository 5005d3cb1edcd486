# shellcheck shell=bash disable=SC2154 # `zram` is of lib.sh
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# A program that needs more memory than it may use, while two lists and the multi-generational LRU take turns. It checks
# each page that it touches, and pages are counted. (A JVM takes minutes to start on an emulated CPU.)

mglru_beside_two_lists() {
    local before lists group=/sys/fs/cgroup/mglru
    mkdir -p /mnt/files
    before=$(left_behind)
    new_zram comp_algorithm=lz4 disksize=256M
    mkswap "/dev/$zram"
    later "swapoff /dev/$zram"
    swapon "/dev/$zram"
    # The next test that names the device would be refused it while it holds a file system.
    later "dd if=/dev/zero of=/dev/vdb bs=64k count=1 conv=fsync status=none"
    mkfs.ext4 -q /dev/vdb
    mount /dev/vdb /mnt/files
    later "umount /mnt/files"
    mkdir /mnt/files/mglru
    echo +memory >/sys/fs/cgroup/cgroup.subtree_control
    mkdir $group
    later "rmdir $group"
    echo 48M >$group/memory.max
    # shellcheck disable=SC2016 # that shell's own process
    leave_samples bash -c "echo \$\$ >$group/cgroup.procs; exec ztera bench reclaim /mnt/files/mglru"
    for lists in two generations; do
        (( $(grep -c "^{\"lists\":\"$lists\"," /samples) == 8 ))
    done
    undo_now
    [[ $(left_behind) == "$before" ]]
    note "pages of hot files read back per pass: $(back two) with two lists, $(back generations) with MGLRU"
}

# back LISTS: at the default swappiness.
back() {
    local found passes
    # The guest has no /dev/fd.
    found=$(sed -n \
        "s/^{\"lists\":\"$1\",\"swappiness\":60,\"hot\":\"files\",.*\"passes\":\([0-9]*\),.*\"files_back\":\([0-9]*\),.*/\1 \2/p" \
        /samples)
    passes=${found% *}
    echo $((${found#* } / passes))
}

check mglru_beside_two_lists mglru_beside_two_lists
