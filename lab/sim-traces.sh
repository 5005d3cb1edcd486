#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# sim-traces.sh [PROGRAM...]: records which units of H2 programs of `ztera bench plain` touch, and replays that
# through the engine's policy and others. Prints a table. A program takes one to five minutes, as each touch of
# another unit is a fault. The row of a program that did not end by itself says so.
# RESIDENT (200m) and POOL (150m) are the DRAM of the replay.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
(( $# > 0 )) || set -- documents roads sql values records profiles
folder=$(mktemp -d "${TMPDIR:-/tmp}/ztera-traces-XXXXXX")
trap 'rm -rf "$folder"' EXIT
policies=ours,lru,arc,s3fifo,opt

# A line of the table, of the report of `ztera sim --json`.
table_row=$(cat <<'END'
import json, sys
report = json.load(sys.stdin)
cell = "{:.1f} %, {:.0f}".format
cells = [cell(100 - 100 * arm["dram_misses"] / report["touches"], arm["ssd_reads"] / 1000) for arm in report["arms"]]
sizes = ["{} MiB".format(report["data_bytes"] >> 20), "{:.1f}".format(report["touches"] / 1e6)]
print("|", " | ".join(["`" + sys.argv[1] + "`" + sys.argv[2], *sizes, *cells]), "|")
END
)

echo "| program | data | million touches | ours | LRU | ARC | S3-FIFO | bound |"
echo "|---|---|---|---|---|---|---|---|"
for program; do
    trace=$folder/$program.trace
    ZTERA_TRACE=$trace build/ztera bench plain --quick --factor 1.5 --program "$program" --arm three --patience 100 \
        --least-seconds 300 --ssd "$folder" >"$folder/log" 2>&1 || { tail -n 20 "$folder/log" >&2; exit 1; }
    [[ -s $trace ]] || { echo "$program left no trace: $(tail -n 3 "$folder/log")" >&2; exit 1; }
    ended=$(grep -oE '(stopped|killed by the kernel).*, at [a-z]+ [0-9]+%' "$folder/log" | head -n 1) || true
    build/ztera sim "$trace" --resident "${RESIDENT:-200m}" --pool "${POOL:-150m}" --policy $policies --json |
        python3 -c "$table_row" "$program" "${ended:+, $ended}"
    rm "$trace"
done
