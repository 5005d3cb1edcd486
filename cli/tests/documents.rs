// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Documents name tests that there are.

use std::path::Path;

/// A promise whose test was renamed would be held by nobody.
#[test]
fn promises_of_security_have_their_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository");
    let document = std::fs::read_to_string(root.join("docs/security.md")).expect("the document is there");
    let table = document.split("\n## ").find_map(|part| part.strip_prefix("Promises\n")).expect("promises");
    let mut promises = 0;
    for line in table.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let quoted: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
        let [.., file, test] = quoted[..] else { panic!("no test: {line}") };
        let source =
            std::fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let named = ["fn ", "void "].iter().any(|word| source.contains(&format!("{word}{test}(")));
        assert!(named, "{file} has no test {test}: {line}");
        promises += 1;
    }
    assert!(promises > 10, "{promises} promises were found");
}
