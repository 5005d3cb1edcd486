//! Turns one unit of memory (4 to 64 KiB) into compressed bytes and back.
//!
//! The story of a unit here: [`fill`] looks whether one repeated word says it all; if not, a sample of
//! its words says whether they are [`Numbers`], and a filter makes those short; a [`Codec`]
//! compresses the rest, or all of it; and [`frame`] wraps the result so that it can be decoded
//! without knowing anything but the unit's size. A unit that does not shrink below 7/8 is left as it is
//! ([`Packed::Huge`]), which is an outcome, not an error.
//!
//! A unit of which one page at a time is wanted is [`split`]: each page is compressed by itself. [`offload`] is what a
//! device does in place of a thread.
//!
//! Nothing here keeps global state. A [`Packer`] owns all contexts and scratch memory and belongs
//! to one thread at a time; every worker has its own.

mod codec;
mod deflate;
pub mod fill;
pub mod frame;
mod lz4;
mod numbers;
mod offload;
mod packer;
mod settings;
pub mod split;
mod zstd;

pub use codec::{Codec, CodecKind, DecodeError};
pub use deflate::Deflate;
pub use lz4::Lz4;
pub use numbers::{Lens, Numbers};
pub use offload::{Offered, Offload, Offloaded};
pub use packer::{Packed, Packer};
pub use settings::{NoCodec, Settings};
