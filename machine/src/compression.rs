// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A codec and its level, and a unit's size, as people write them.

use ztera_codec::{NoCodec, Settings};
use ztera_store::UnitSize;

use crate::units::parse_size;

/// Reads `lz4`, `zstd`, `deflate`, or one of them with its level, such as `zstd:3`.
pub fn parse_codec(text: &str) -> Result<Settings, String> {
    text.parse().map_err(|error: NoCodec| error.to_string())
}

/// Reads a power of two from 4k to 64k.
pub fn parse_unit(text: &str) -> Result<UnitSize, String> {
    let bytes = parse_size(text)?;
    let size = usize::try_from(bytes).ok().and_then(UnitSize::new);
    size.ok_or_else(|| format!("`{text}` is no unit: give a power of two from 4k to 64k"))
}
