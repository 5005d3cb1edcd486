# shellcheck shell=bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# A JVM with a second heap in a group of cgroup version 2, which machines with version 1 do not have.

# starts LIMIT: $jvm is the process of a JVM in a group of its own, whose objects are in H2. It ends with the test.
starts() {
    group=/sys/fs/cgroup/jvm
    echo +memory >/sys/fs/cgroup/cgroup.subtree_control
    mkdir $group
    later "rmdir $group"
    echo "$1" >$group/memory.max
    bash -c "echo \$\$ >$group/cgroup.procs; exec \"\$@\"" - /jdk/bin/java -XX:H2Size=2g -Xmx96m -XX:TieredStopAtLevel=1 -Xlog:gc+h2 \
        -cp /jdk/classes Waits >/tmp/jvm.out 2>&1 &
    jvm=$!
    later "kill $jvm 2>/dev/null; wait $jvm"
    until grep -q '^in the second heap: ' /tmp/jvm.out; do
        kill -0 $jvm || { cat /tmp/jvm.out; return 1; }
        sleep 0.2
    done
    grep '^in the second heap: true' /tmp/jvm.out || { cat /tmp/jvm.out; return 1; }
}

# told NAME: a number that the JVM tells; the first of that name.
told() { ztera stat --json "$jvm" | sed "s/.*\"$1\":\([0-9]*\).*/\1/"; }

# becomes NAME VALUE: it is so within ten seconds; the CPU is emulated.
becomes() {
    local i
    for i in {1..100}; do
        [[ $(told "$1") != "$2" ]] || return 0
        sleep 0.1
    done
    echo "$1 is $(told "$1") after $i looks, and not $2"
    return 1
}

jvm_finds_the_limit_of_cgroup_2() {
    starts 512M
    becomes limit_bytes $((512 << 20))
    (( $(told mem_limit) < 512 << 20 ))
}

# The pool had no more than at the start.
jvm_follows_a_limit_that_rises() {
    starts 384M
    becomes limit_bytes $((384 << 20))
    echo 1G >$group/memory.max
    becomes limit_bytes $((1 << 30))
    (( $(told mem_limit) > 384 << 20 ))
    note "the pool may have $(($(told mem_limit) >> 20)) MiB"
}

jvm_follows_a_limit_that_falls() {
    starts 512M
    becomes limit_bytes $((512 << 20))
    echo 400M >$group/memory.max
    becomes limit_bytes $((400 << 20))
    grep 'The memory limit fell from 512M to 400M' /tmp/jvm.out
    kill -0 $jvm
}

for test in jvm_finds_the_limit_of_cgroup_2 jvm_follows_a_limit_that_rises jvm_follows_a_limit_that_falls; do
    check $test $test
done
