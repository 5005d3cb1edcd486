#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# view_test.sh VIEW: the JDK view is a complete JAVA_HOME. Every tool is run from it, against a live process of its own.

set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/check.sh"

view=$(readlink -f "${1:?name a view}")
base=$(sed -n 's/^ZTERA_BASE_JDK="\(.*\)"$/\1/p' "$view/release")
tmp=$(mktemp -d)
child=
trap '[[ -z $child ]] || kill "$child" 2>/dev/null; rm -rf "$tmp"' EXIT
unset JAVA_HOME JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS

cat >"$tmp/Sleeper.java" <<'JAVA'
/** Prints its java.home, then lives until its standard input ends. */
public class Sleeper {
    public static void main(String[] args) throws Exception {
        System.out.println("home=" + System.getProperty("java.home"));
        while (System.in.read() >= 0) { }
    }
}
JAVA

identity() {
    prints "java -version names ZTera" 'Server VM .*ZTera' "$view/bin/java" -version
    prints "the release file names ZTera" '^IMPLEMENTOR="ZTera"' cat "$view/release"
    prints "a link to bin/java finds the view too" 'Server VM .*ZTera' "$tmp/linked-java" -version
    prints "JAVA_HOME pointing at the view leads to the base JDK" "^$base$" env JAVA_HOME="$view" "$here/../build/base-jdk.sh"
    prints "the view has all of the base JDK's tools" '^$' diff <(ls "$base/bin") <(ls "$view/bin")
    prints "every file of the base JDK's lib is in the view" '^$' comm -23 <(ls "$base/lib") <(ls "$view/lib")
    prints "the engine's code begins with a page, or jhsdb opens no core file" 'LOAD +0x[0-9a-f]*000 .* R E ' readelf -lW "$view/lib/libztera.so"
    prints "no link of the view is broken" '^0$' bash -c "find '$view' -xtype l | wc -l"
}

# archive NAME FLAG...: the VM starts from that archive, and would not start without it (-Xshare:on).
archive() {
    local name=$1
    shift
    prints "CDS archive $name is used" "opened (shared|AOT cache|static|archive).*/$name|Opened .*/$name" \
        "$view/bin/java" -Xshare:on -Xlog:cds,aot -XX:+UnlockExperimentalVMOptions "$@" -version
}

archives() {
    archive classes.jsa -XX:+UseCompressedOops
    archive classes_nocoops.jsa -XX:-UseCompressedOops
    archive classes_coh.jsa -XX:+UseCompactObjectHeaders
    archive classes_nocoops_coh.jsa -XX:-UseCompressedOops -XX:+UseCompactObjectHeaders
    prints "the archive works with Parallel GC" 'sharing' "$view/bin/java" -Xshare:on -XX:+UseParallelGC -version
}

compile_and_run() {
    holds "javac compiles" "$view/bin/javac" -d "$tmp" "$tmp/Sleeper.java"
    prints "java runs what it compiled, in the view" "^home=$view$" "$view/bin/java" -cp "$tmp" Sleeper
    prints "java runs a source file" "^home=$view$" "$view/bin/java" "$tmp/Sleeper.java"
    holds "jar packs" "$view/bin/jar" --create --file "$tmp/s.jar" -C "$tmp" Sleeper.class
    prints "javap reads" 'public class Sleeper' "$view/bin/javap" -cp "$tmp" Sleeper
}

# live_tools: the tools that look into a running VM.
live_tools() {
    local pid
    mkfifo "$tmp/in"
    "$view/bin/java" -XX:+UseParallelGC -cp "$tmp" Sleeper <"$tmp/in" >"$tmp/out" &
    child=$!
    pid=$child
    exec {hold}>"$tmp/in"
    until grep -q home= "$tmp/out" || ! kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
    prints "jps lists the process" "^$pid Sleeper" "$view/bin/jps"
    prints "jcmd VM.version names ZTera" 'ZTera' "$view/bin/jcmd" "$pid" VM.version
    prints "jcmd GC.heap_info shows Parallel GC" 'PSYoungGen' "$view/bin/jcmd" "$pid" GC.heap_info
    prints "jstat reads the counters" '^ +S0C' "$view/bin/jstat" -gc "$pid"
    prints "jmap prints a histogram" 'java.lang.String' "$view/bin/jmap" -histo "$pid"
    prints "jmap dumps the heap" 'Heap dump file created' "$view/bin/jmap" -dump:format=b,file="$tmp/heap.hprof" "$pid"
    prints "jstack prints the threads" '"main" #' "$view/bin/jstack" "$pid"
    prints "jinfo prints a flag" '\+UseParallelGC' "$view/bin/jinfo" -flag UseParallelGC "$pid"
    if (( EUID == 0 )); then
        prints "jhsdb attaches" 'ZTera' "$view/bin/jhsdb" jinfo --sysprops --pid "$pid"
    else
        echo "     jhsdb not tried: the kernel may forbid it to anyone but root"
    fi
    exec {hold}>&-
    wait "$pid"
    child=
}

# h2: what ZTera adds is there, and off until asked for.
h2() {
    prints "the H2 flags exist, H2 is off by default" 'H2Size *= 0 ' "$view/bin/java" -XX:+PrintFlagsFinal -version
    holds "the engine is in the view" test -f "$view/lib/libztera.so"
    prints "H2 comes up when asked for" 'H2: 256M at' "$view/bin/java" -XX:H2Size=256m -Xlog:gc+h2 -version
}

ln -s "$view/bin/java" "$tmp/linked-java"
identity
archives
compile_and_run
live_tools
h2
finish
