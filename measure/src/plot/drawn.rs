// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The words that a plot shows, for tests of those who draw it.

use super::{Plot, draw};

/// All text of a plot in the order in which it is drawn, one a line. It is well-formed XML, or there is none.
pub fn words(plot: &Plot) -> String {
    let svg = draw::svg(plot).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error} in\n{svg}"));
    let texts =
        document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
    texts.map(|node| format!("{}\n", node.text().unwrap_or_default().trim())).collect()
}
