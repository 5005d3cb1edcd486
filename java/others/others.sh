#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# others.sh [OPTION VALUE]...: other people's programs, from Maven Central, on the stock JDK and on ZTera with random
# moves. The options that matter here: --only "NAME..." --arms "ARM..." --seed N --quick true; without them, everything
# with a seed that is drawn and printed. Logs, answers and results.json are in out/others.

source "$(dirname "${BASH_SOURCE[0]}")/../../hotspot/build/lib.sh"

here=$ZTERA_ROOT/java/others
out=$ZTERA_ROOT/out/others
stock=$("$ZTERA_ROOT/hotspot/build/base-jdk.sh")

"$stock/bin/javac" -Xlint:all -Werror -d "$out/harness" -sourcepath "$ZTERA_ROOT/java/api/src/main/java" \
    "$ZTERA_ROOT"/java/kit/src/main/java/org/ztera/kit/*.java "$here"/src/org/ztera/others/*.java "$here"/src/org/ztera/others/child/*.java
exec "$stock/bin/java" -XX:+UseSerialGC -cp "$out/harness" org.ztera.others.Others --home "$here" --out "$out" --stock "$stock" \
    --release "$ZTERA_ROOT/build/jdk" --fastdebug "$ZTERA_ROOT/build/jdk-fastdebug" \
    --jdk-source "$("$ZTERA_ROOT/hotspot/build/fetch-source.sh")/tree" --only "" --arms "" --quick false \
    --seed "$((RANDOM * 32768 + RANDOM + 1))" "$@"
