#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# image.sh KERNEL FILE: makes the guest's file system, an archive that the kernel unpacks into memory. It has programs
# of this machine with the libraries that they are linked with, our two programs, tests of ours that need a kernel, our
# JVM, a text, modules from the folder KERNEL, and the scripts beside this one.

source "$(dirname "${BASH_SOURCE[0]}")/../hotspot/build/lib.sh"

PATH=$PATH:/usr/sbin:/sbin
readonly kernel=$1 file=$2
readonly root=$file.d
readonly programs=(bash cat cmp cp dd dmesg grep head insmod ls mkdir rm rmdir sed seq sha256sum sleep sync tail timeout
    tee truncate uname blkdiscard dmsetup losetup mkswap mount swapoff swapon umount btrfs fsck.ext4 fstrim mkfs.btrfs mkfs.ext4 nbd-client
    redis-server)
readonly modules=(virtio_pci virtio_blk crc32c_generic xxhash_generic ext4 btrfs fuse loop dm_mod raid0 nbd zram ublk_drv)

# put FILE AS: a program and the libraries that it is linked with.
put() {
    local library
    install -D "$1" "$root/$2"
    while read -r library; do
        [[ -e $root/$library ]] || install -D "$library" "$root/$library"
    done < <({ ldd "$1" 2>/dev/null || true; } | grep -o '/[^ ]*')
}

put_programs() {
    local program path
    for program in "${programs[@]}"; do
        path=$(type -P "$program") || die "the guest needs the program $program"
        put "$path" "bin/$program"
    done
    install -D /etc/mke2fs.conf "$root/etc/mke2fs.conf"
}

# put_commands: ours. Debug information stays here.
put_commands() {
    local name
    for name in ztera ztera-lab; do
        strip -o "$root/$name" "$ZTERA_ROOT/build/$name"
        put "$root/$name" "bin/$name"
        rm "$root/$name"
    done
}

# put_tests: ours that need root and a kernel.
put_tests() {
    local tests test
    tests=$(cd "$ZTERA_ROOT" && cargo test --quiet --no-run --message-format=json -p ztera-cli --test swap \
        -p ztera-disk --test loop_device -p ztera-lab --bin ztera-lab | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
    for test in swap loop_device ztera_lab; do
        strip -o "$root/test" "$(grep "/deps/$test-[^/]*$" <<<"$tests")"
        put "$root/test" "rust/$test"
    done
    rm "$root/test"
}

# put_jvm: ours, in an image of the base JDK's java.base, and a program for it.
put_jvm() {
    local base library
    base=$("$ZTERA_ROOT/hotspot/build/base-jdk.sh")
    "$base/bin/jlink" --add-modules java.base --strip-native-commands --output "$root/jdk"
    put "$base/bin/java" jdk/bin/java
    for library in server/libjvm.so libztera.so; do
        put "$ZTERA_ROOT/build/jdk/lib/$library" "jdk/lib/$library"
        strip --strip-debug "$root/jdk/lib/$library"
    done
    "$base/bin/javac" -cp "$ZTERA_ROOT/build/ztera-api.jar" -d "$root/jdk/classes" "$ZTERA_ROOT/guest/Waits.java"
    (cd "$root/jdk/classes" && "$base/bin/jar" --extract --file "$ZTERA_ROOT/build/ztera-api.jar")
}

# put_text: values for Redis. The Calgary corpus is what the laboratory judges; it may lie beside the repository.
put_text() {
    local corpus=$ZTERA_ROOT/../shared/data/calgary
    if [[ -f $corpus ]]; then cat "$corpus"; else cat "$ZTERA_ROOT"/docs/*.md; fi >"$root/text"
}

# put_modules: with those that they need, in the order in which they load.
put_modules() {
    local module path name version
    version=$(ls "$kernel/lib/modules")
    mkdir -p "$root/modules"
    for module in "${modules[@]}"; do
        modprobe -C /dev/null -d "$kernel" -S "$version" --show-depends "$module" ||
            die "the guest's kernel has no module $module"
    done | sed -n 's/^insmod \([^ ]*\).*/\1/p' >"$root/modules/paths"
    while read -r path; do
        name=${path##*/} name=${name%%.*}
        [[ ! -e $root/modules/$name.ko ]] || continue
        case $path in
            *.xz) xz -dc "$path" ;;
            *.zst) zstd -qdc "$path" ;;
            *) cat "$path" ;;
        esac >"$root/modules/$name.ko"
        echo "$name" >>"$root/modules/order"
    done <"$root/modules/paths"
}

rm -rf "$root"
mkdir -p "$root"/{dev,proc,sys,tmp,run,mnt,root}
put_programs
put_commands
# The laboratory boots the guest for one of these alone, and need not build tests for that.
if [[ ${ONLY:-} != redis && ${ONLY:-} != mglru_ ]]; then
    put_tests
    put_jvm
fi
put_text
put_modules
install "$ZTERA_ROOT/guest/init.sh" "$root/init"
install -D -t "$root/tests" "$ZTERA_ROOT"/guest/lib.sh "$ZTERA_ROOT"/guest/tests/*.sh
(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$file"
rm -rf "$root"
