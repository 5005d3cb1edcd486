// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A unit's size and ranges of pages, as people write them.

use ztera_codec::Settings;
use ztera_disk::Pages;
use ztera_store::UnitSize;

use crate::units::parse_size;

/// Reads `lz4`, `zstd`, or one of them with its level, such as `zstd:3`.
pub fn parse_codec(text: &str) -> Result<Settings, String> {
    text.parse().map_err(|error: ztera_codec::NoCodec| error.to_string())
}

/// Reads a power of two from 4k to 64k.
pub fn parse_unit(text: &str) -> Result<UnitSize, String> {
    let bytes = parse_size(text)?;
    let size = usize::try_from(bytes).ok().and_then(UnitSize::new);
    size.ok_or_else(|| format!("`{text}` is no unit: give a power of two from 4k to 64k"))
}

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
