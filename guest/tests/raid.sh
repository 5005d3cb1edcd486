# shellcheck shell=bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# RAID 0 of two loop devices, as the laboratory is told of one by `--raid`. Both lie in memory: function, and no times.

# disk NAME: a new loop device of 64 MiB, which is printed.
disk() {
    truncate -s 64M "/tmp/$1"
    losetup --find --show "/tmp/$1"
}

# two_disks: $first and $second are loop devices.
two_disks() {
    first=$(disk first)
    second=$(disk second)
    later "rm /tmp/first /tmp/second"
    later "losetup --detach $first $second"
}

# is_a_raid DEVICE: it keeps files, and the laboratory finds two disks below a folder on it.
is_a_raid() {
    keeps_files "$1"
    mount "$1" /mnt/files
    ZTERA_TEST_RAID=/mnt/files /rust/ztera_lab --ignored --exact \
        kit::filesystem::tests::a_folder_on_a_raid_0_says_how_many_disks_that_has | tee /tmp/said
    grep '^test result: ok. 1 passed' /tmp/said
    umount /mnt/files
}

raid_of_device_mapper() {
    two_disks
    /rust/ztera_lab --exact kit::filesystem::tests::loop_devices_are_a_raid_0
    dmsetup create raid --table "0 262144 striped 2 128 $first 0 $second 0"
    later "dmsetup remove raid"
    # Nobody makes names in /dev/mapper here: that would be udev.
    is_a_raid "/dev/$(dmsetup info --columns --noheadings --options blkdevname raid)"
}

# Without mdadm: the kernel's files make an array that has no superblocks.
raid_of_md() {
    local md=/sys/block/md9/md disk slot=0
    two_disks
    echo md9 >/sys/module/md_mod/parameters/new_array
    later "echo clear >$md/array_state"
    echo none >$md/metadata_version
    echo raid0 >$md/level
    echo 65536 >$md/chunk_size
    echo 2 >$md/raid_disks
    for disk in "${first#/dev/}" "${second#/dev/}"; do
        cat "/sys/block/$disk/dev" >$md/new_dev
        echo $slot >"$md/dev-$disk/slot"
        echo 65536 >"$md/dev-$disk/size"
        slot=$((slot + 1))
    done
    echo active >$md/array_state
    is_a_raid /dev/md9
}

# The laboratory boots the guest without tests of Rust.
if [[ -e /rust/ztera_lab ]]; then
    check raid_0_of_the_device_mapper raid_of_device_mapper
    check raid_0_of_md raid_of_md
fi
