# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# apt sources in deb822 format -> the same stanzas, of the type and suite wanted (-v type=deb-src, -v suite=,
# -v id=<ID of os-release>). Every other field (URIs, Components, Signed-By, also over several lines) stays as it is.

tolower($1) == "types:" { print "Types: " type; next }
tolower($1) == "suites:" && id == "debian" {
    line = "Suites:"
    split("", seen)
    for (i = 2; i <= NF; i++) {
        name = suite ($i ~ /security|\/updates$/ ? "-security" : $i ~ /-updates$/ ? "-updates" : "")
        if (!(name in seen)) line = line " " name
        seen[name]
    }
    print line
    next
}
{ print }
