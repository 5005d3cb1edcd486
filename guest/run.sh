#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# run.sh: boots the guest, which runs its tests, and judges what it printed. It has no network, and three empty disks.
# On the third it leaves samples for the laboratory. Its CPU is emulated, everywhere: KVM within a virtual machine may
# fail, and the tests are of function only.

source "$(dirname "${BASH_SOURCE[0]}")/../hotspot/build/lib.sh"

readonly out=$ZTERA_ROOT/out/guest limit=900 # seconds; a machine that does nothing else takes half of that

rm -f "$out/samples.jsonl"
command -v qemu-system-x86_64 >/dev/null || die "the guest needs QEMU: install the package qemu-system-x86"
kernel=$("$ZTERA_ROOT/guest/kernel.sh")
mkdir -p "$out"
"$ZTERA_ROOT/guest/image.sh" "$kernel" "$out/image"
trap 'rm -f "$out/image" "$out/zram" "$out/ssd" "$out/samples"' EXIT
truncate -s 256M "$out/zram" "$out/ssd"
truncate -s 1M "$out/samples"

status=0
# The guest ends with this script, however that ends.
setpriv --pdeathsig TERM timeout --foreground --kill-after=5 "$limit" qemu-system-x86_64 \
    -accel tcg,thread=multi -machine q35 -cpu max -smp 2 -m 2G \
    -nodefaults -no-user-config -display none -no-reboot -serial stdio \
    -kernel "$kernel/vmlinuz" -initrd "$out/image" -append "console=ttyS0 panic=-1 loglevel=4 ${ONLY:+only=$ONLY}" \
    -drive "file=$out/zram,format=raw,if=virtio" -drive "file=$out/ssd,format=raw,if=virtio" \
    -drive "file=$out/samples,format=raw,if=virtio" \
    </dev/null | sed -u 's|\r$||' | tee "$out/log" || status=$?

tr -d '\0' <"$out/samples" >"$out/samples.jsonl"
(( status != 124 )) || die "the guest did not end within $limit s"
grep -q '^guest: all tests ran$' "$out/log" || die "the guest died before all its tests had run (status $status)"
! grep -q '^FAILED ' "$out/log"
