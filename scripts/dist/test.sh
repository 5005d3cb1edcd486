#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# test.sh: the packages in build/dist do what a stranger expects of them, on systems that have nothing of ours. It
# leaves out/dist-report.md: their figures, and what a JVM prints where something is missing.

set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../hotspot/test/check.sh"
source "$here/lib.sh"
set +e

tree=$dist/$package
tarball=$dist/$package-linux-x64.tar.gz
deb=$dist/ztera-jdk_${version}_amd64.deb
tmp=$(scratch test-dist)
trap 'rm -rf "$tmp"' EXIT
unset JAVA_HOME JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS ZTERA_HOME
suites=(bookworm bullseye) # the second is the oldest that Debian's mirrors still have
report=$ZTERA_ROOT/out/dist-report.md
two_commands="cd /home && tar xzf $package-linux-x64.tar.gz && $package/bin/java -XX:H2Size=1g -jar $package/example/example.jar"

# figure WHAT VALUE: a row of the report.
figure() { echo "| $1 | $2 |" >>"$report"; }

begin_report() {
    mkdir -p "${report%/*}"
    printf '<!-- printed by: make test-dist -->\n| Figure of version %s | Value |\n|---|---|\n' "$version" >"$report"
    figure 'the tarball' "$(size_of "$tarball")"
    figure 'the package for Debian' "$(size_of "$deb")"
    figure 'the tarball, unpacked' "$(size_of "$tree")"
}

size_of() { du -s --apparent-size -B1M "$1" | awk '{ print $1 " MiB" }'; }

glibc() {
    local newest needs file
    "$here/glibc-of.sh" "$tree" >"$tmp/glibc"
    newest=$(head -n 1 "$tmp/glibc" | cut -d' ' -f1)
    while read -r needs file; do
        figure "newest symbol of glibc in \`$file\`" "$needs"
    done < <(grep -E ' (bin/ztera|lib/libztera.so|lib/server/libjvm.so|bin/java)$' "$tmp/glibc")
    prints "no file needs a newer glibc than 2.28 (newest: $newest)" '^2.28$' bash -c "printf '2.28\n${newest:-none}\n' | sort -V | tail -n 1"
}

# crash_report: the first lines of one.
crash_report() {
    (cd "$tmp" && "$tree/bin/java" -XX:-CreateCoredumpOnCrash -XX:ErrorFile="$tmp/hs_err.log" "$tmp/Crash.java")
    cat "$tmp/hs_err.log"
}

# pages_amiss: where the command's pages are not those of the subcommands in its help.
pages_amiss() {
    diff <("$tree/bin/ztera" --help | sed -nE '/^Commands:/,/^$/s/^  ([a-z]+) .*/\1/p' | grep -v '^help$' | sort) \
        <(cd "$tree/man/man1" && printf '%s\n' ztera-*.1 | sed -E 's/^ztera-([a-z]+).*/\1/' | sort -u)
}

identity() {
    prints "java -version names ZTera and its version" "Server VM ZTera-$version .*sharing" "$tree/bin/java" -version
    prints "so does java.vendor" 'java.vendor = ZTera$' "$tree/bin/java" -XshowSettings:properties -version
    prints "and java.vm.vendor" 'java.vm.vendor = ZTera$' "$tree/bin/java" -XshowSettings:properties -version
    prints "crash reports are for ZTera" "^# +$bugs" crash_report
    prints "and for nobody else" '^0$' bash -c "grep -ciE 'adoptium-support|adoptium.net|bugreport.java.com' '$tmp/hs_err.log' || true"
    prints "the command is of that version" "^ztera $version$" "$tree/bin/ztera" --version
    prints "and finds the JDK that it is in" "^$tree/bin/java " "$tree/bin/ztera" java --print --h2-size 1g -- -version
    prints "every subcommand has a manual page" '^$' pages_amiss
    prints "the list of contents has the crates" 'pkg:cargo/zstd-sys@' cat "$tree/legal/ztera/sbom.cdx.json"
}

# smaller_images: the story: jlink refused to make an image from ours, as libjvm.so was not the one in its list.
smaller_images() {
    holds "jlink makes a smaller image" "$tree/bin/jlink" --add-modules java.base --output "$tmp/small"
    figure 'an image that jlink makes of java.base' "$(size_of "$tmp/small")"
    prints "which has a second heap too" 'H2: 256M at' "$tmp/small/bin/java" -XX:H2Size=256m -Xlog:gc+h2 -version
}

installed() {
    holds "the package installs below a prefix" "$here/install.sh" "$tree" "$tmp/prefix" "lib/$package"
    prints "the command is in its bin" "^ztera $version$" "$tmp/prefix/bin/ztera" --version
    prints "and finds its JDK" "^$tmp/prefix/lib/$package/bin/java " "$tmp/prefix/bin/ztera" java --print --h2-size 1g -- -version
    holds "so does man" test -s "$tmp/prefix/share/man/man1/ztera.1"
}

# maven_project DIR: one that uses all artifacts. Its plugins are those of our own build, which Maven has fetched.
maven_project() {
    local plugins
    mkdir -p "$1/src/main/java"
    plugins=$(sed -n '/<artifactId>maven-\(compiler\|resources\)-plugin/{p;n;p}' "$ZTERA_ROOT/java/pom.xml" |
        sed 's|<artifactId>|<plugin>&|; s|</version>|&</plugin>|')
    cat >"$1/pom.xml" <<XML
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.example</groupId><artifactId>user</artifactId><version>1</version>
  <properties><maven.compiler.release>8</maven.compiler.release></properties>
  <repositories><repository><id>ztera</id><url>file://$tree/maven</url></repository></repositories>
  <dependencies>
    <dependency><groupId>org.ztera</groupId><artifactId>ztera-api</artifactId><version>$version</version></dependency>
    <dependency><groupId>org.ztera</groupId><artifactId>ztera-micrometer</artifactId><version>$version</version></dependency>
    <dependency><groupId>org.ztera</groupId><artifactId>ztera-spark_2.13</artifactId><version>$version</version></dependency>
  </dependencies>
  <build><plugins>$plugins</plugins></build>
</project>
XML
    cat >"$1/settings.xml" <<XML
<settings>
  <localRepository>$1/local</localRepository>
  <mirrors><mirror><id>fetched</id><mirrorOf>central</mirrorOf><url>file://$HOME/.m2/repository</url></mirror></mirrors>
</settings>
XML
    cat >"$1/src/main/java/User.java" <<JAVA
public class User {
    public static void main(String[] args) {
        org.ztera.H2.tag(args, 1);
        org.ztera.H2.group("a library").part(1).tag(args);
        System.out.println("second heap: " + org.ztera.H2.isEnabled());
    }
}
JAVA
}

# maven_resolves: a project on the distribution's Java, which is none of ours.
maven_resolves() {
    local project=$tmp/user
    maven_project "$project"
    holds "a Maven project finds the artifacts in the package" mvn -B -ntp -q -C -s "$project/settings.xml" -f "$project/pom.xml" compile
    prints "the plugin too" "ztera-spark_2.13-$version.jar" find "$project/local/org/ztera" -name '*.jar'
    prints "and the meters" "ztera-micrometer-$version.jar" find "$project/local/org/ztera" -name '*.jar'
    prints "its program runs on the package's JDK" 'second heap: true' "$tree/bin/java" -XX:H2Size=256m \
        -cp "$project/target/classes:$project/local/org/ztera/ztera-api/$version/ztera-api-$version.jar" User
}

# java_8: that program on a Java 8, which Debian has in its suite of the newest packages.
java_8() {
    local root=$tmp/java-8 archive
    if ! archive=$("$here/clean-root.sh" unstable openjdk-8-jre-headless); then
        echo "SKIPPED, the API on Java 8: a root with openjdk-8-jre-headless cannot be made"
        return
    fi
    mkdir "$root"
    tar -C "$root" -xf "$archive"
    mkdir -p "$root/home"
    cp -r "$tmp/user/target/classes" "$tree/lib/ztera/ztera-api.jar" "$root/home/"
    prints "Java 8 is what it says" 'version "1\.8\.' "$here/in-root.sh" 1000 "$root" "java -version"
    prints "the API does nothing on Java 8" '^second heap: false$' "$here/in-root.sh" 1000 "$root" "java -cp /home/classes:/home/ztera-api.jar User"
    rm -rf "$root"
}

# tutorial_line START: the command of the tutorial that starts so, for the example in place of the reader's program.
tutorial_line() {
    # shellcheck disable=SC2016 # a fence of Markdown
    sed -n '/^```sh/,/^```$/p' "$ZTERA_ROOT/docs/tutorial.md" | grep -m1 -- "^$1" | sed "s|yours.jar|$tree/example/example.jar|"
}

# tutorial: what a reader types in the first five minutes, but for watching.
tutorial() {
    local PATH=$tree/bin:$PATH
    prints "the tutorial's program starts as always" 'in the second heap: false' bash -c "$(tutorial_line 'java -jar')"
    prints "doctor says what would happen" '^The JVM starts with these flags' bash -c "$(tutorial_line 'ztera doctor')"
    prints "and the program gets its second heap" 'in the second heap: true' bash -c "$(tutorial_line 'java -XX:H2Size')"
}

same_again() {
    holds "the packages can be made again" env ZTERA_DIST="$tmp/again" "$here/dist.sh"
    prints "with the same bytes" '^$' diff "$dist/SHA256SUMS" "$tmp/again/SHA256SUMS"
    rm -rf "$tmp/again"
}

# clean_root SUITE: as somebody else than root, on a system without a compiler or a JDK.
clean_root() {
    local root=$tmp/$1 start
    mkdir "$root"
    tar -C "$root" -xf "$("$here/clean-root.sh" "$1")"
    install -d -o 1000 -g 1000 "$root/home"
    cp "$tarball" "$deb" "$root/home/"
    start=$EPOCHREALTIME
    "$here/in-root.sh" 1000 "$root" "$two_commands" >"$tmp/$1.log" 2>&1
    figure "seconds from the tarball to the first answer, on Debian $1" "$(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $start }")"
    prints "$1: two commands lead to the answer" '^the warmest day of the year: 204$' cat "$tmp/$1.log"
    prints "$1: from objects in the second heap" '^in the second heap: true$' cat "$tmp/$1.log"
    prints "$1: the .deb installs" 'Setting up ztera-jdk' "$here/in-root.sh" 0 "$root" "dpkg -i /home/${deb##*/}"
    prints "$1: its command works" "^ztera $version$" "$here/in-root.sh" 1000 "$root" "ztera --version"
    refuses "$1: and says where the laboratory is" 'ztera-lab was not found: packages do not have it' \
        "$here/in-root.sh" 1000 "$root" "ztera lab list"
    prints "$1: and runs a program" 'Server VM ZTera' "$here/in-root.sh" 1000 "$root" "ztera java --h2-size 256m -- -version"
    rm -rf "$root"
}

cat >"$tmp/Crash.java" <<'JAVA'
/** Kills itself as a bug in native code would. */
public class Crash {
    public static void main(String[] args) throws Exception {
        new ProcessBuilder("kill", "-SEGV", String.valueOf(ProcessHandle.current().pid())).start();
        Thread.sleep(60_000);
    }
}
JAVA
begin_report
glibc
identity
smaller_images
installed
maven_resolves
tutorial
same_again
if (( EUID == 0 )); then
    for suite in "${suites[@]}"; do clean_root "$suite"; done
    java_8
else
    echo "SKIPPED, clean roots of ${suites[*]} and Java 8: only root can enter them"
fi
if "$here/fallbacks.sh" "$tree" "$tmp/fallbacks.md"; then
    [[ ! -e $tmp/fallbacks.md ]] || { echo && cat "$tmp/fallbacks.md"; } >>"$report"
else
    fail "fall-backs"
fi
finish
