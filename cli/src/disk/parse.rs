// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Ranges of pages, as people write them.

use ztera_disk::Pages;

/// Reads pages of 4 KiB by their numbers, `7` or `100-200`.
pub fn parse_pages(text: &str) -> Result<Pages, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok(Pages { first, last }),
        _ => Err(format!("`{text}` is no range of pages: give the first and the last, such as 100-200")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_one_or_a_range() {
        assert_eq!(parse_pages("7"), Ok(Pages { first: 7, last: 7 }));
        assert_eq!(parse_pages("100-200"), Ok(Pages { first: 100, last: 200 }));
        for wrong in ["", "-", "3-2", "a", "1-2-3"] {
            assert!(parse_pages(wrong).is_err(), "{wrong}");
        }
    }
}
