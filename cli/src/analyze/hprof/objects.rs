// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The second pass: objects of the dump become objects of a heap.

use std::collections::BTreeMap;
use std::io::{BufRead, Seek, Write};

use anyhow::Result;
use serde::Serialize;

use super::classes::Classes;
use super::layout::{HEADER, OBJECT_ALIGNMENT};
use super::records::{Kind, Object, Records};
use super::references::References;
use super::shapes::{Shape, Shapes, class_pointer_of_array};
use super::types::Type;
use crate::analyze::image::Image;

/// Neither locked nor hashed, age 0.
const MARK: u64 = 1;

/// Bytes of mark word, class pointer and length.
const ARRAY_HEADER: usize = 16;

/// Elements that are converted at once.
const CHUNK: usize = 1 << 13;

/// Objects of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Count {
    /// How many.
    pub objects: u64,
    /// With headers and what alignment takes.
    pub bytes: u64,
}

impl Count {
    fn add(&mut self, bytes: u64) {
        self.objects += 1;
        self.bytes += bytes;
    }
}

/// Objects by kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// No arrays.
    pub instances: Count,
    /// Arrays of references.
    pub reference_arrays: Count,
    /// Arrays of primitive types.
    pub primitive_arrays: BTreeMap<Type, Count>,
}

/// Writes them.
pub struct Objects<'a, W> {
    shapes: Shapes,
    references: References,
    image: &'a mut Image<W>,
    tally: Tally,
    from: Vec<u8>,
    to: Vec<u8>,
}

impl<'a, W: Write> Objects<'a, W> {
    /// Of these classes, with ids of `id_bytes` in the dump, to `image`.
    pub fn new(classes: Classes, references: References, id_bytes: usize, image: &'a mut Image<W>) -> Self {
        let shapes = Shapes::new(classes, id_bytes, references.width().bytes());
        Self { shapes, references, image, tally: Tally::default(), from: Vec::new(), to: Vec::new() }
    }

    /// All that were written.
    pub fn tally(self) -> Tally {
        self.tally
    }

    /// Writes the object whose contents `records` has next.
    pub fn write<R: BufRead + Seek>(&mut self, object: Object, records: &mut Records<R>) -> Result<()> {
        match object.kind {
            Kind::Instance { class } => {
                let shape = self.shapes.of(class, object.body).map_err(|what| records.damaged(what))?;
                self.from.resize(shape.body, 0);
                records.read_body(&mut self.from)?;
                instance(shape, self.references, &self.from, &mut self.to);
                self.image.begin();
                self.image.write(&self.to)?;
                self.tally.instances.add(self.to.len() as u64);
            }
            Kind::References { class, length } => {
                let class_pointer = self.shapes.class_pointer(class);
                let bytes = self.array(class_pointer, Type::Reference, length, records)?;
                self.tally.reference_arrays.add(bytes);
            }
            Kind::Primitives { element, length } => {
                let bytes = self.array(class_pointer_of_array(element), element, length, records)?;
                self.tally.primitive_arrays.entry(element).or_default().add(bytes);
            }
        }
        Ok(())
    }

    /// Writes an array, part by part, as it may be large. Returns its bytes.
    fn array<R: BufRead + Seek>(
        &mut self,
        class_pointer: u32,
        element: Type,
        length: u32,
        records: &mut Records<R>,
    ) -> Result<u64> {
        let (from, to) = (element.bytes(records.id_bytes()), element.bytes(self.references.width().bytes()));
        self.image.begin();
        self.image.write(&array_header(class_pointer, length))?;
        let mut left = length as usize;
        while left > 0 {
            let count = left.min(CHUNK);
            left -= count;
            self.from.resize(count * from, 0);
            self.to.resize(count * to, 0);
            records.read_body(&mut self.from)?;
            let elements = self.from.chunks_exact(from).zip(self.to.chunks_exact_mut(to));
            elements.for_each(|(from, to)| convert(element, self.references, from, to));
            self.image.write(&self.to)?;
        }
        let bytes = ARRAY_HEADER + length as usize * to;
        let aligned = bytes.next_multiple_of(OBJECT_ALIGNMENT);
        self.image.write(&[0; OBJECT_ALIGNMENT][..aligned - bytes])?;
        Ok(aligned as u64)
    }
}

/// Makes an instance of its contents in the dump.
fn instance(shape: &Shape, references: References, contents: &[u8], to: &mut Vec<u8>) {
    to.clear();
    to.resize(shape.bytes, 0);
    to[..HEADER].copy_from_slice(&header(shape.class_pointer));
    let reference = references.width().bytes();
    for field in &shape.moves {
        let from = &contents[field.from..][..field.kind.bytes(shape.id_bytes)];
        convert(field.kind, references, from, &mut to[field.to..][..field.kind.bytes(reference)]);
    }
}

fn header(class_pointer: u32) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..size_of_val(&MARK)].copy_from_slice(&MARK.to_le_bytes());
    header[size_of_val(&MARK)..].copy_from_slice(&class_pointer.to_le_bytes());
    header
}

fn array_header(class_pointer: u32, length: u32) -> [u8; ARRAY_HEADER] {
    let mut array = [0; ARRAY_HEADER];
    array[..HEADER].copy_from_slice(&header(class_pointer));
    array[HEADER..].copy_from_slice(&length.to_le_bytes());
    array
}

/// A value as the dump has it, big-endian, to what a heap has.
fn convert(kind: Type, references: References, from: &[u8], to: &mut [u8]) {
    if kind == Type::Reference {
        let id = from.iter().fold(0, |id, &byte| id << 8 | u64::from(byte));
        references.write(id, to);
    } else {
        to.iter_mut().zip(from.iter().rev()).for_each(|(to, &from)| *to = from);
    }
}
