# shellcheck shell=bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# Redis, one server per CPU, under a limit of memory that its compressed pages share. Data grow until the kernel kills a
# server; each value that is read is compared. An arm that ends otherwise has failed, and leaves a sample all the same.

# redis_on ARM: one of those of `ztera bench redis`.
redis_on() {
    local before
    before=$(left_behind)
    leave_samples ztera bench redis "$1" /text
    [[ $(left_behind) == "$before" ]]
    note "$(($(held '') >> 20)) MiB of values, $(sed -n '$s/.*"words":"\([^"]*\).*/\1/p' /samples)"
}

# held NAME: bytes of values in the last sample of an arm with that in its name.
held() { sed -n "s/^{\"redis\":\"[^\"]*$1.*\"held_bytes\":\([0-9]*\).*/\1/p" /samples | tail -n 1; }

# Texts of other machines may compress less.
redis_holds_more() {
    local none zram ours
    none=$(held 'no swap')
    zram=$(held 'zram-lz4')
    ours=$(held 'ours"')
    (( none > 0 && zram > none && ours >= zram ))
}

# The laboratory boots the guest for `redis` alone, and wants more arms. This kernel's zram has no lzo.
arms=(none zram-lz4 ours)
[[ ${only:-} != redis ]] || arms+=(zram-zstd ours-model)
for arm in "${arms[@]}"; do
    check "redis_on_$arm" redis_on "$arm"
done
check redis_on_ours_holds_more redis_holds_more
