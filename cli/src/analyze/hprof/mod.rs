// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Heap dumps ("HPROF"), and what their objects are like in a live heap.
//!
//! ```text
//!  file -> input -> records -> classes -> layout -> shapes      (first pass: all classes, the range of ids)
//!                      |                              |
//!                      +---------- objects <----------+ -> image (second pass: each object, in the order of the dump)
//! ```
//!
//! A dump has no offsets of fields, and no headers. These stand in their place:
//!
//! * a mark word as of an object that is neither locked nor hashed, and has survived no collection: 1;
//! * a class pointer of 4 bytes. It is made of the class's place in the dump: classes are taken to lie in the order of
//!   the dump, [`KLASS_BYTES`](shapes::KLASS_BYTES) apart;
//! * fields where HotSpot of JDK 25 lays them, whoever wrote the dump, without compact object headers ([`layout`]). A
//!   dump knows neither `@Contended` nor the few fields that the VM adds to classes such as `java.lang.Thread`;
//! * references as HotSpot compresses them, with objects 8 bytes aligned ([`references`]). They point where objects lay
//!   in the dumped heap; in H2 they would lie in another order;
//! * objects one after the other: H2 leaves the end of a region empty where an object does not fit. The filler of dead
//!   space looks like an `int[]` in a dump, and is written as one.
//!
//! Classes themselves are not written: their mirrors never move to H2.

mod classes;
mod error;
mod input;
pub mod layout;
mod objects;
mod records;
pub mod references;
pub mod shapes;
mod tag;
#[cfg(test)]
pub mod testing;
pub mod types;

use std::io::{BufRead, Seek, Write};

pub use objects::{Count, Tally};
pub use references::Width;

use super::image::Image;
use classes::Classes;
use input::Input;
use objects::Objects;
use records::{Found, Records};
use references::References;

/// How often progress is told: after so many objects.
const OBJECTS_PER_STEP: u64 = 1 << 14;

/// The contents of a whole dump.
#[derive(Clone, Debug, PartialEq)]
pub struct Heap {
    /// By kind.
    pub tally: Tally,
    /// As they were written.
    pub references: Width,
}

/// Reads the dump `from`, of `len` bytes, twice, and writes its objects to `image`. Without a `width`, references are
/// narrow if that can be. Takes memory for the classes, and for the largest instance. `progress` is told how many bytes
/// of twice `len` are read, and may end it with an error.
pub fn convert<W: Write>(
    mut from: impl BufRead + Seek,
    len: u64,
    width: Option<Width>,
    image: &mut Image<W>,
    progress: &mut dyn FnMut(u64) -> anyhow::Result<()>,
) -> anyhow::Result<Heap> {
    let mut classes = Classes::default();
    let mut records = Records::new(Input::new(&mut from, len))?;
    for count in 0_u64.. {
        match records.next()? {
            Some(Found::Class(class)) => classes.add(class),
            Some(Found::Object(object)) => classes.range.include(object.id),
            None => break,
        }
        if count % OBJECTS_PER_STEP == 0 {
            progress(records.at())?;
        }
    }
    let references = References::new(classes.range, width)?;
    from.rewind()?;
    let mut records = Records::new(Input::new(&mut from, len))?;
    let mut objects = Objects::new(classes, references, records.id_bytes(), image);
    for count in 0_u64.. {
        match records.next()? {
            Some(Found::Object(object)) => objects.write(object, &mut records)?,
            Some(Found::Class(_)) => {}
            None => break,
        }
        if count % OBJECTS_PER_STEP == 0 {
            progress(len + records.at())?;
        }
    }
    Ok(Heap { tally: objects.tally(), references: references.width() })
}

#[cfg(test)]
mod tests;
