#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# looks.sh [PROGRAM...]: how long looks through H2 take in programs of `ztera bench plain`, and what shapes take. A
# look marks H2 from its shapes while the JVM marks the first heap, and sweeps H2 then. So what marking takes longer
# than in the median of full GCs without a look counts, too. Prints a table of logs of the JVM. ARM (three) and FACTOR
# (1.5) are those of the benchmark.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
(( $# > 0 )) || set -- documents roads sql values records profiles text-index grid
folder=$(mktemp -d "${TMPDIR:-/tmp}/ztera-looks-XXXXXX")
trap 'rm -rf "$folder"' EXIT
limit_mib=512

# A row of the table, of a log of the JVM.
table_row=$(cat <<'END'
import re, statistics, sys
sweeps, sizes, shares, marks, shapes, visits, bytes_of_h2 = {}, {}, [], {}, 0, [], 0
for line in open(sys.argv[2]):
    if found := re.search(r"GC\((\d+)\) Marking Phase (\d+\.\d+)ms", line):
        marks[found[1]] = float(found[2])
    elif found := re.search(r"shapes of (\d+)K .*: (\d+) visits; (\d+) of (\d+) blocks were read", line):
        shapes = int(found[1])
        blocks = max(int(found[4]), 1)
        visits.append(int(found[2]) / blocks)
        shares.append(int(found[3]) / blocks)
    elif found := re.search(r"Looked through H2: of (\d+)K", line):
        bytes_of_h2 = int(found[1])
    elif found := re.search(r"GC\((\d+)\) H2 Look (\d+\.\d+)ms", line):
        sweeps[found[1]] = float(found[2])
        sizes[found[1]] = bytes_of_h2
if not sweeps:
    print(f"| `{sys.argv[1]}` | 0 | - | - | - | - | - | - | - |")
    sys.exit()
threads, limit_mib = int(sys.argv[3]), int(sys.argv[4])
without = [ms for gc, ms in marks.items() if gc not in sweeps]
usual = statistics.median(without) if without else 0
looks = {gc: ms + max(marks[gc] - usual, 0) for gc, ms in sweeps.items()}
seconds, gib = sum(looks.values()) / 1e3, sum(sizes.values()) / 2**20
last = list(sizes.values())[-1]
cells = [f"{len(looks)}", f"{max(sizes.values()) / 1024:.0f} MiB", f"{seconds * threads / gib:.2f} s",
         f"{max(looks.values()) / 1e3:.2f} s", f"{statistics.mean(visits):.1f}", f"{100 * statistics.mean(shares):.1f} %",
         f"{100 * shapes / max(last, 1):.1f} %", f"{100 * shapes / 1024 / limit_mib:.1f} %"]
print("|", " | ".join([f"`{sys.argv[1]}`", *cells]), "|")
END
)

echo "| program | looks | H2, at most | for each GiB and thread | longest | visits to a block | blocks read | shapes: of H2 | of DRAM |"
echo "|---|---|---|---|---|---|---|---|---|"
for program; do
    log=$folder/$program.log
    build/ztera bench plain --quick --factor "${FACTOR:-1.5}" --program "$program" --arm "${ARM:-three}" --ssd "$folder" \
        --limit "${limit_mib}m" --jvm-option="-Xlog:gc+h2,gc+phases:file=$log" >"$folder/report" 2>&1 ||
        { tail -n 20 "$folder/report" >&2; exit 1; }
    python3 -c "$table_row" "$program" "$log" "$(nproc)" "$limit_mib"
done
