# shellcheck shell=bash disable=SC2154 # `at` and `server` are of lib.sh
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# Swap on a block device of ublk, while the classic LRU or the multi-generational one chooses the pages.

# ublk_swap SWITCH STATE: with the multi-generational LRU switched so; the kernel says then that it is in that state.
ublk_swap() {
    local file=/sys/kernel/mm/lru_gen/enabled was
    was=$(cat $file)
    later "echo $was >$file"
    echo "$1" >$file
    grep "$2" $file
    serve --ublk --size 192m --memory-limit 128m --unit 4k --swap --recompress-after 0
    swaps "$at"
    nothing_failed
}

check ublk_swaps_with_the_classic_lru ublk_swap n '^0x0000$'
check ublk_swaps_with_mglru ublk_swap y '^0x000[1-9a-f]$'
