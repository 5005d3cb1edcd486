// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Units that the engine's codecs have compressed, kept to be decompressed again.

use anyhow::{Context, Result};
use ztera_codec::frame::{self, Form};
use ztera_codec::{Packed, Packer, fill};

/// A unit after a codec.
pub enum Object {
    /// It repeats this word.
    Same(u32),
    /// It shrank to this.
    Frame(Vec<u8>),
    /// It did not shrink.
    Raw(Vec<u8>),
}

impl Object {
    /// Of a unit.
    pub fn of(packer: &mut Packer, unit: &[u8]) -> Object {
        match packer.pack(unit) {
            Packed::Same(word) => Object::Same(word),
            Packed::Frame(frame) => Object::Frame(frame.to_vec()),
            Packed::Huge => Object::Raw(unit.to_vec()),
        }
    }

    /// The memory that it takes, without what a pool adds.
    pub fn stored_bytes(&self) -> usize {
        match self {
            Object::Same(_) => 0,
            Object::Frame(bytes) | Object::Raw(bytes) => bytes.len(),
        }
    }

    /// Whether it repeats one word.
    pub fn is_same(&self) -> bool {
        matches!(self, Object::Same(_))
    }

    /// Whether it did not shrink.
    pub fn is_raw(&self) -> bool {
        matches!(self, Object::Raw(_))
    }

    /// Whether a filter had a part in it.
    pub fn is_filtered(&self) -> bool {
        matches!(self, Object::Frame(object) if frame::parse(object).is_ok_and(|frame| matches!(frame.form, Form::Numbers(_))))
    }

    /// Writes the unit to `unit`.
    pub fn decode(&self, packer: &mut Packer, unit: &mut [u8]) -> Result<()> {
        match self {
            Object::Same(word) => fill::expand(*word, unit),
            Object::Frame(frame) => packer.unpack(frame, unit).context("a unit does not decompress")?,
            Object::Raw(bytes) => unit.copy_from_slice(bytes),
        }
        Ok(())
    }
}
