# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# One-line apt sources -> lines of the type and suite wanted (-v type=deb-src, -v suite=, -v id=<ID of os-release>).
#   deb [signed-by=K] URI bookworm-security main   ->   deb-src [signed-by=K] URI trixie-security main

$1 == "deb" || $1 == "deb-src" {
    at = 2
    if ($at ~ /^\[/) { while ($at !~ /\]$/) at++; at++ }   # options
    at++                                                    # after the URI: the suite
    if ($at ~ /\/$/) next                                   # a flat repository: no Debian archive
    if (id == "debian") $at = suite ($at ~ /security|\/updates$/ ? "-security" : $at ~ /-updates$/ ? "-updates" : "")
    $1 = type
    print
}
