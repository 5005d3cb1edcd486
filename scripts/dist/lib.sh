# shellcheck shell=bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# All scripts of the package share its names, and the time that all its files carry.
#
# ZTERA_DIST: the folder of the packages. ZTERA_BUGS: the address for bug reports, for those who publish under one.

source "$(dirname "${BASH_SOURCE[0]}")/../../hotspot/build/lib.sh"

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' "$ZTERA_ROOT/Cargo.toml")
bugs=${ZTERA_BUGS:-BUGS.md in the folder of this JDK}
package=ztera-jdk-$version
dist=${ZTERA_DIST:-$ZTERA_ROOT/build/dist}
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$ZTERA_ROOT" log -1 --format=%ct 2>/dev/null || date +%s)}
export LC_ALL=C TZ=UTC
umask 022
# shellcheck disable=SC2034 # for those that source this
readonly version bugs package dist
