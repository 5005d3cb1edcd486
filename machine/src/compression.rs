// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A codec and its level, and a unit's size, as people write them.

use ztera_codec::{CodecKind, Settings};
use ztera_store::UnitSize;

use crate::units::parse_size;

/// Reads `lz4`, `zstd`, or one of them with its level, such as `zstd:3`.
pub fn parse_codec(text: &str) -> Result<Settings, String> {
    let (name, level) = text.split_once(':').unwrap_or((text, "0"));
    let (kind, levels) = match name {
        "lz4" => (CodecKind::Lz4, 0..=65537),
        "zstd" => (CodecKind::Zstd, -7..=22),
        _ => return Err(format!("`{name}` is no codec: there are lz4 and zstd")),
    };
    match level.parse() {
        Ok(level) if levels.contains(&level) => Ok(Settings { kind, level }),
        _ => Err(format!("`{level}` is no level of {name}: {} to {}", levels.start(), levels.end())),
    }
}

/// Reads a power of two from 4k to 64k.
pub fn parse_unit(text: &str) -> Result<UnitSize, String> {
    let bytes = parse_size(text)?;
    let size = usize::try_from(bytes).ok().and_then(UnitSize::new);
    size.ok_or_else(|| format!("`{text}` is no unit: give a power of two from 4k to 64k"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_codec_may_have_a_level() {
        assert_eq!(parse_codec("lz4"), Ok(Settings { kind: CodecKind::Lz4, level: 0 }));
        assert_eq!(parse_codec("zstd:-3"), Ok(Settings { kind: CodecKind::Zstd, level: -3 }));
        for wrong in ["lzo", "", "zstd:99", "zstd:", "lz4:x"] {
            assert!(parse_codec(wrong).is_err(), "{wrong}");
        }
    }
}
