#!/bin/bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# stress.sh VIEW MINUTES [SEED]: runs the stress program on the JVM in VIEW for so many minutes in all, in rounds over
# the object layouts and backings. VIEW should be the fastdebug view. SEED, which is printed, repeats an earlier run.
# Logs and crash reports stay in target/stress. Needs the classes that `mvn -f java/pom.xml package` leaves in target/.
# ZTERA_STOCK=1 in the environment: VIEW is a stock JVM; this tests the program itself.
set -u

if ! [[ $# -ge 2 && $2 =~ ^[1-9][0-9]*$ ]]; then
    sed -n '5,8s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
view=$(realpath -m "$1")
minutes=$2
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
seed=${3:-$((RANDOM * 32768 + RANDOM))}
classes=target/classes:../api/target/classes

if [ ! -x "$view/bin/java" ]; then
    echo "stress: no JVM at $view; \`make fastdebug\` builds build/jdk-fastdebug" >&2
    exit 2
fi
if [ ! -d target/classes ] || [ ! -d ../api/target/classes ]; then
    echo "stress: the classes are missing; build them with \`mvn -f java/pom.xml package -pl tests -am -DskipTests\`" >&2
    exit 2
fi

arms=(narrow narrow-compact wide wide-compact deaths file ssd)

# By these, a part of H1 keeps its places in most full collections, and much of that part moves to H2. In other arms,
# all of H1 is compacted.
places=(-XX:-UseMaximumCompactionOnSystemGC -XX:MarkSweepDeadRatio=100)

# The flags of an arm, one a line.
arm_flags() {
    case $1 in
        narrow) printf '%s\n' -XX:+H2Stress -XX:+UseCompressedOops -XX:-UseCompactObjectHeaders "${places[@]}" ;;
        narrow-compact) printf '%s\n' -XX:+H2Stress -XX:+UseCompressedOops -XX:+UseCompactObjectHeaders ;;
        wide) printf '%s\n' -XX:+H2Stress -XX:-UseCompressedOops -XX:-UseCompactObjectHeaders "${places[@]}" ;;
        wide-compact) printf '%s\n' -XX:+H2Stress -XX:-UseCompressedOops -XX:+UseCompactObjectHeaders ;;
        # Without random moves everything that the program gives up must be dead in the end.
        deaths) printf '%s\n' -XX:-H2Stress -XX:+UseCompressedOops -XX:-UseCompactObjectHeaders ;;
        file) printf '%s\n' -XX:+H2Stress -XX:+UseCompressedOops -XX:+UseCompactObjectHeaders \
            -XX:H2Backing=file "-XX:H2Path=$2" ;;
        ssd) printf '%s\n' -XX:+H2Stress -XX:+UseCompressedOops -XX:-UseCompactObjectHeaders \
            -XX:H2PoolSize=8m "-XX:H2Path=$2" -XX:+H2Encrypt -XX:H2IdleEpochs=1 ;;
    esac
}

# All flags of a run, one a line. Little heap and very little resident H2, so that collections are many and pages leave
# DRAM and come back.
flags() {
    local directory=$2
    printf '%s\n' -Xmx192m -Xmn24m -XX:+UseParallelGC -XX:MaxMetaspaceSize=256m -XX:-CreateCoredumpOnCrash \
        "-XX:ErrorFile=$directory/hs_err.log" -XX:+UnlockDiagnosticVMOptions
    printf '%s\n' -XX:H2Size=512m -XX:H2RegionSize=1m -XX:H2ResidentSize=8m -XX:H2PoolSize=256m -XX:+H2Verify \
        "-XX:H2StressSeed=$((seed % 1000000 + 1))" "-Xlog:gc*,gc+h2*:file=$directory/gc.log::filecount=2,filesize=20m"
    arm_flags "$1" "$directory"
}

# run ARM ROUND SECONDS
run() {
    local directory=target/stress/$1-$2 command
    mkdir -p "$directory"
    mapfile -t command < <(flags "$1" "$directory")
    if [ -n "${ZTERA_STOCK:-}" ]; then
        mapfile -t command < <(printf '%s\n' "${command[@]}" | grep -iv h2)
    fi
    command=("$view/bin/java" "${command[@]}" -cp "$classes" org.ztera.jvmtests.stress.Stress --seconds "$3" --seed "$seed")
    echo "stress: $1, round $2, $3 seconds"
    "${command[@]}" 2>&1 | tee "$directory/output.txt"
    if [ "${PIPESTATUS[0]}" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "stress: FAILED; see java/tests/$directory. In java/tests, this repeats it: ${command[*]}"
    fi
}

echo "stress: seed $seed"
rm -rf target/stress
passed=0
failed=0
left=$((minutes * 60))
# Rounds become longer, up to 40 seconds an arm: a long run has seen more, a short one still has room in H2.
for ((round = 1; left > 0; round++)); do
    seconds=$((round < 4 ? 10 * round : 40))
    for arm in "${arms[@]}"; do
        if [ "$left" -gt 0 ]; then
            run "$arm" "$round" "$seconds"
            left=$((left - seconds))
            seed=$((seed + 1))
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
