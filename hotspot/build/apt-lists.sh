# shellcheck shell=bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# Package lists of another suite than the system's, from the same mirrors. apt's own files and lists stay as they are.

# apt_lists DIR TYPE SUITE: makes source lists in DIR from the user's, as entries of TYPE (deb, deb-src) for the SUITE.
# The array apt_options has apt use them. On a system other than Debian, whose mirrors do not carry that suite, the
# suites stay.
apt_lists() {
    local into=$1 list parts id file
    local awk=(awk -v "type=$2" -v "suite=$3")
    # shellcheck disable=SC2034 # for the caller
    apt_options=(-o "Dir::Etc::sourcelist=$into/sources.list" -o "Dir::Etc::sourceparts=$into/parts"
        -o "Dir::State::lists=$into/lists" -o "Dir::Cache=$into/cache" -o "APT::Sandbox::User=")
    eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
    # shellcheck disable=SC1091
    id=$(. /etc/os-release && echo "$ID")
    mkdir -p "$into/parts" "$into/lists/partial" "$into/cache"
    : >"$into/sources.list"
    for file in "$list" "$parts"/*.list; do
        [[ -r $file ]] || continue
        "${awk[@]}" -v id="$id" -f "$ZTERA_ROOT/hotspot/build/apt-list.awk" "$file" | sort -u >>"$into/sources.list"
    done
    for file in "$parts"/*.sources; do
        "${awk[@]}" -v id="$id" -f "$ZTERA_ROOT/hotspot/build/apt-sources.awk" "$file" >"$into/parts/${file##*/}"
    done
}
