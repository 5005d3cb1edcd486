#!/bin/bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# soak.sh VIEW[,VIEW...] MINUTES [SEED]: runs the soak program for so many minutes in all, in rounds over the JVMs in
# the views and the arms below. SEED, which is printed, repeats an earlier run's choices.
# Logs and crash reports stay in target/soak. Needs the classes that `mvn -f java/pom.xml package` leaves in target/,
# and the library of `make inject`.
set -u

if ! [[ $# -ge 2 && $2 =~ ^[1-9][0-9]*$ ]]; then
    sed -n '5,8s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
IFS=, read -ra views <<<"$1"
views=("${views[@]/#/$PWD/}")
views=("${views[@]/#$PWD\/\///}")
minutes=$2
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
seed=${3:-$((RANDOM * 32768 + RANDOM))}
classes=target/classes:../kit/target/classes:../api/target/classes
library=$PWD/target/soak/libuses.so
if [ ! -d target/classes ] || [ ! -d ../api/target/classes ]; then
    echo "soak: the classes are missing; \`make stress-classes\` builds them" >&2
    exit 2
fi

# verify: each collection reads all of H2, wherever it is. cold: nobody does, so what is cold gets to SSD and stays
# there, encrypted. random: objects of the JDK and of the test itself move too, and downcalls get arrays.
# limit: the file may not become as large as H2 thinks, nor as large as is needed: data stays in memory.
arms=(verify random cold limit)

# The flags of an arm, one a line.
arm_flags() {
    case $1 in
        verify) printf '%s\n' -XX:+H2Verify -XX:H2RecompressCodec=none ;;
        cold) printf '%s\n' -XX:+H2Encrypt -XX:-UseCompressedOops ;;
        random) printf '%s\n' -XX:+H2Verify -XX:+H2Stress "-XX:H2StressSeed=$((seed % 1000000 + 1))" -XX:H2Size=512m -Dztera.soak.downcalls=true ;;
        limit) printf '%s\n' -Dztera.soak.tight=true -XX:+UseCompactObjectHeaders ;;
    esac
}

# All flags of a run, one a line. The heap has room for what H2 does not take while something fails. Its memory, the
# number of threads and the C library's heaps are the same from the start, so that a leak would show.
flags() {
    printf '%s\n' -Xms256m -Xmx256m -Xmn32m -XX:+AlwaysPreTouch -XX:+UseParallelGC -XX:ParallelGCThreads=2 -XX:MaxMetaspaceSize=128m \
        -XX:-UseDynamicNumberOfGCThreads -XX:-UseDynamicNumberOfCompilerThreads -XX:-CreateCoredumpOnCrash \
        "-XX:ErrorFile=$2/hs_err.log" -XX:+UnlockDiagnosticVMOptions --enable-native-access=ALL-UNNAMED
    # All groups together have some 60 MB, half of which does not compress.
    printf '%s\n' -XX:H2Size=256m -XX:H2RegionSize=1m -XX:H2ResidentSize=6m -XX:H2PoolSize=10m "-XX:H2Path=$2/ssd" \
        -XX:H2FileSize=80m -XX:H2IdleEpochs=1 "-Dztera.soak.directory=$2/ssd" "-Xlog:gc*,gc+h2*:file=$2/gc.log::filecount=2,filesize=20m"
    # The program takes many times as much beside the heap. Soft references are cleared as soon as weak ones.
    printf '%s\n' "-Dztera.soak.library=$library" -XX:MaxDirectMemorySize=24m -XX:SoftRefLRUPolicyMSPerMB=0
    arm_flags "$1"
}

# run VIEW ARM ROUND SECONDS
run() {
    local directory=$PWD/target/soak/$3-$2 view command
    view=target/soak/view-$(basename "$1")
    mkdir -p "$directory/ssd"
    mapfile -t command < <(flags "$2" "$directory")
    command=("$view/bin/java" "${command[@]}" -cp "$classes" org.ztera.jvmtests.soak.Soak "$4" "$seed")
    echo "soak: round $3, $(basename "$1"), $2, $4 seconds"
    # One heap of the C library: each thread may take 64 MiB of addresses otherwise.
    (
        [ "$2" != limit ] || ulimit -f $((24 * 1024))
        MALLOC_ARENA_MAX=1 exec "${command[@]}"
    ) >"$directory/output.txt" 2>&1 </dev/null &
    child=$!
    if wait "$child"; then
        passed=$((passed + 1))
        grep -E '^SOAK (seed|cycles)' "$directory/output.txt"
    else
        failed=$((failed + 1))
        tail -n 40 "$directory/output.txt"
        echo "soak: FAILED; see $directory. In java/tests, this repeats it: ${command[*]}"
    fi
    child=
    rmdir "$directory/ssd"
}

# Views share their large files with the originals, but are of no use afterwards.
clean_up() {
    [ -z "$child" ] || kill "$child" 2>/dev/null
    rm -rf target/soak/view-*
}

child=
trap clean_up EXIT
trap 'exit 130' INT TERM
rm -rf target/soak
mkdir -p target/soak
cc -std=gnu11 -Wall -Wextra -Werror -O1 -fPIC -shared -pthread "-I${views[0]}/include" "-I${views[0]}/include/linux" -o "$library" \
    ../kit/src/main/resources/org/ztera/kit/uses/uses.c || exit 2
for view in "${views[@]}"; do
    ./inject-view.sh "$view" "target/soak/view-$(basename "$view")" || exit 2
done
echo "soak: seed $seed"
passed=0
failed=0
left=$((minutes * 60))
# Long rounds show what grows slowly; a short run has to see all arms.
seconds=$((left / 4 < 120 ? left / 4 : 120))
for ((round = 1; left > 0; round++)); do
    arm=${arms[$(((round - 1) % ${#arms[@]}))]}
    # Another view in each round, and other pairs of view and arm in the next turn.
    view=${views[$(((round - 1 + (round - 1) / ${#arms[@]}) % ${#views[@]}))]}
    run "$view" "$arm" "$round" "$seconds"
    left=$((left - seconds))
    seed=$((seed + 1))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
