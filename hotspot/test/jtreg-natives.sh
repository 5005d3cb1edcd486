#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# Prints the cache folder of the native parts of the JDK's own tests, for jtreg's -nativepath: each lib*.c[pp] makes a
# library, each exe*.c[pp] a program. A test that does not compile is named in the folder's file `unbuilt`, with the
# reason.

source "$(dirname "${BASH_SOURCE[0]}")/../build/lib.sh"

# The JDK's own make leaves these out on Linux x86-64 (JtregNativeHotspot.gmk, JtregNativeJdk.gmk).
not_here='/(exerevokeall|libNativeException|exeGetProcessorInfo|exeJniInvocationTest|exeLibraryCache|libTestSVEWithJNI)\.c(pp)?$'

# sources: the files to build, below the source tree. Those of tests that we do not run are left out.
sources() {
    find test/hotspot/jtreg test/jdk test/lib -regextype posix-extended \( -path '*/vmTestbase/nsk' -o -path '*/jdk/java/foreign' \) -prune \
        -o -regex '.*/(lib|exe)[^/]*\.(c|cpp)' -print | grep -Ev "$not_here" | sort
    find test/hotspot/jtreg/vmTestbase/nsk/share/gc -name 'lib*.cpp'
}

# includes: where the JDK's make lets these files look for headers; those that it generates are in the base JDK.
includes() {
    local nsk=test/hotspot/jtreg/vmTestbase/nsk
    printf -- '-I%s\n' "$NATIVE_JDK"/include{,/linux} src/java.base/{share,unix}/native/libjava src/hotspot/{share,os/posix}/include \
        test/lib/native test/lib/jdk/test/lib/jvmti \
        "$nsk"/share/{aod,jdi,jni,jvmti,locks,native,gc/lock/jni,gc/lock/jniref,jvmti/agent_common,jvmti/aod} \
        "$nsk"/stress/jni test/hotspot/jtreg/vmTestbase/vm/{share,mlvm/share}
}

# special NAME: options that a test's meaning hangs on.
special() {
    case $1 in
        libNoFramePointer) echo -O3 -fomit-frame-pointer ;;
        libtest-rw) echo -Wl,-z,noexecstack ;;
        libtest-rwx) echo -Wl,-z,execstack ;;
        libfast-math) echo -ffast-math ;;
        exeJliLaunchTest) echo -Isrc/java.base/share/native/libjli -Isrc/java.base/unix/native/libjli -ljli ;;
        exeinvoke) echo -O0 ;;
        libstringPlatformChars | libGetXSpace) echo -ljava ;;
    esac
}

# build_one SOURCE: into $NATIVE_OUT. Programs that start a VM need libjvm, the others do not mind it. Some tests look
# at native frames, which are found by frame pointers.
build_one() {
    local name=${1##*/} compiler=gcc options error
    name=${name%.*}
    # shellcheck disable=SC2206 # options have no spaces
    options=(-O1 -fno-omit-frame-pointer -w -pthread -D_GNU_SOURCE $NATIVE_INCLUDES)
    [[ $1 != *.cpp ]] || compiler=g++ options+=(-std=c++14)
    if [[ $name == lib* ]]; then options+=(-fPIC -shared -o "$NATIVE_OUT/$name.so"); else options+=(-o "$NATIVE_OUT/${name#exe}"); fi
    # shellcheck disable=SC2046 # as above
    error=$($compiler "${options[@]}" "$1" -L"$NATIVE_JDK/lib" -L"$NATIVE_JDK/lib/server" -Wl,--as-needed $(special "$name") \
        -ldl $([[ $name == lib* ]] || echo -ljvm) 2>&1) || echo "$1: $(grep -m1 -i error <<<"$error")" >>"$NATIVE_OUT/unbuilt"
}
export -f build_one special

build_all() {
    # shellcheck disable=SC2016 # the inner shell expands
    sources | xargs -P "$(nproc)" -I{} bash -c 'build_one "$1"' _ {}
}

# built: the count of the progress line.
built() { find "$NATIVE_OUT" -type f | wc -l | tr '\n' ' '; }

# make_natives TREE ENTRY
make_natives() {
    [[ ! -d $ZTERA_CACHE/$2 ]] || return 0
    NATIVE_OUT=$(scratch natives)
    NATIVE_INCLUDES=$(includes | paste -sd' ')
    touch "$NATIVE_OUT/unbuilt"
    cd "$1"
    run_logged "$ZTERA_CACHE/logs/jdk-tests-natives.log" "building the native parts of the JDK's tests" built build_all
    publish "$NATIVE_OUT" "$2"
}

export NATIVE_OUT NATIVE_INCLUDES NATIVE_JDK
NATIVE_JDK=$("$ZTERA_ROOT/hotspot/build/base-jdk.sh")
tree=$("$ZTERA_ROOT/hotspot/build/fetch-source.sh")/tree
entry=jdk-tests/natives-$({ echo "$tree"; gcc --version; cat "$NATIVE_JDK/release" "${BASH_SOURCE[0]}"; } | short_hash)
with_lock jdk-tests-natives make_natives "$tree" "$entry"
echo "$ZTERA_CACHE/$entry"
