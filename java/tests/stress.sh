#!/bin/bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# stress.sh VIEW MINUTES [SEED]: runs the stress program on the JVM in VIEW for so many minutes in all, divided among the
# object layouts and backings. VIEW should be the fastdebug view. SEED repeats an earlier run; it is printed by each.
# Logs and crash reports stay in target/stress. Needs the classes that `mvn -f java package` leaves in target/.
# ZTERA_STOCK=1: VIEW is a stock JVM; tests the program itself.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2

if [ $# -lt 2 ]; then
    sed -n '5,9s/^# //p' "$0" >&2
    exit 2
fi
java=$1/bin/java
minutes=$2
seed=${3:-$((RANDOM * 32768 + RANDOM))}
classes=target/classes:../api/target/classes

if [ ! -x "$java" ]; then
    echo "stress: no JVM at $1; \`make fastdebug\` builds build/jdk-fastdebug" >&2
    exit 2
fi
if [ ! -d target/classes ] || [ ! -d ../api/target/classes ]; then
    echo "stress: the classes are missing; build them with \`mvn -f java/pom.xml package -pl tests -am -DskipTests\`" >&2
    exit 2
fi

# Little heap and very little resident H2, so that collections are many and pages leave DRAM and come back.
common=(-Xmx192m -Xmn24m -XX:+UseParallelGC -XX:-CreateCoredumpOnCrash -XX:MaxMetaspaceSize=256m)
h2=(-XX:H2Size=512m -XX:H2RegionSize=1m -XX:H2ResidentSize=8m -XX:H2PoolSize=256m
    -XX:+UnlockDiagnosticVMOptions -XX:+H2Verify)
random_moves=(-XX:+H2Stress "-XX:H2StressSeed=$((seed % 2147483647 + 1))")

arms=(narrow narrow-compact wide wide-compact deaths file)
seconds=$((minutes * 60 / ${#arms[@]}))
passed=0
failed=0

# The flags of an arm, one a line.
flags() {
    case $1 in
        narrow) printf '%s\n' -XX:+UseCompressedOops -XX:-UseCompactObjectHeaders "${random_moves[@]}" ;;
        narrow-compact) printf '%s\n' -XX:+UseCompressedOops -XX:+UseCompactObjectHeaders "${random_moves[@]}" ;;
        wide) printf '%s\n' -XX:-UseCompressedOops -XX:-UseCompactObjectHeaders "${random_moves[@]}" ;;
        wide-compact) printf '%s\n' -XX:-UseCompressedOops -XX:+UseCompactObjectHeaders "${random_moves[@]}" ;;
        # Without random moves everything must be dead in the end.
        deaths) printf '%s\n' -XX:+UseCompressedOops -XX:-UseCompactObjectHeaders ;;
        file) printf '%s\n' -XX:-UseCompressedOops -XX:+UseCompactObjectHeaders "${random_moves[@]}" \
            -XX:H2Backing=file -XX:H2Path="$PWD/target/stress/file" ;;
    esac
}

for arm in "${arms[@]}"; do
    directory=target/stress/$arm
    rm -rf "$directory" && mkdir -p "$directory" || exit 2
    mapfile -t arm_flags < <(flags "$arm")
    log=(-Xlog:gc\*,gc+h2\*=info:file="$directory/gc.log":uptime,level,tags:filecount=2,filesize=20m)
    if [ -n "${ZTERA_STOCK:-}" ]; then
        mapfile -t arm_flags < <(printf '%s\n' "${arm_flags[@]}" | grep -v H2)
        h2=(-XX:+UnlockDiagnosticVMOptions) log=()
    fi
    echo "stress: $arm, $seconds seconds, seed $seed"
    "$java" "${common[@]}" "${h2[@]}" "${arm_flags[@]}" "${log[@]}" -XX:ErrorFile="$directory/hs_err.log" -cp "$classes" \
        org.ztera.jvmtests.stress.Stress --seconds "$seconds" --seed "$seed" 2>&1 | tee "$directory/output.txt"
    if [ "${PIPESTATUS[0]}" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "stress: $arm FAILED; see java/tests/$directory; repeat with: java/tests/stress.sh $1 $minutes $seed"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
