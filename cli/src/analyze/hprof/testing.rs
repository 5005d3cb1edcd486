// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Dumps for tests, byte by byte.

use super::tag;
use super::types::Type;

/// A dump that grows.
pub struct Dump {
    bytes: Vec<u8>,
    id_bytes: usize,
    heap: Vec<u8>,
}

impl Dump {
    /// A header.
    pub fn new(id_bytes: usize) -> Self {
        let header = [&b"JAVA PROFILE 1.0.2\0"[..], &(id_bytes as u32).to_be_bytes(), &[0; 8]].concat();
        Self { bytes: header, id_bytes, heap: Vec::new() }
    }

    /// `id` as the dump writes it.
    pub fn id(&self, id: u64) -> Vec<u8> {
        id.to_be_bytes()[8 - self.id_bytes..].to_vec()
    }

    /// A record that is no part of the heap, or is all of it.
    pub fn record(&mut self, tag: u8, body: &[u8]) {
        self.bytes.extend([&[tag, 0, 0, 0, 0][..], &(body.len() as u32).to_be_bytes(), body].concat());
    }

    /// A part of the heap; ids are between numbers.
    pub fn part(&mut self, tag: u8, ids: &[u64], rest: &[u8]) {
        let ids: Vec<u8> = ids.iter().flat_map(|&id| self.id(id)).collect();
        self.heap.extend([&[tag][..], &ids, rest].concat());
    }

    /// A class with a constant, a static field and these fields.
    pub fn class(&mut self, id: u64, superclass: u64, fields: &[Type]) {
        let mut rest = Vec::new();
        for id in [superclass, 0, 0, 0, 0, 0] {
            rest.extend(self.id(id));
        }
        // Bytes of an instance, which nobody believes; then the constant: a place, a long.
        rest.extend([0, 0, 0, 99, 0, 1, 0, 7, Type::Long as u8, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1]);
        rest.extend([self.id(5), vec![Type::Reference as u8], self.id(6)].concat());
        rest.extend((fields.len() as u16).to_be_bytes());
        fields.iter().for_each(|&field| rest.extend([self.id(5), vec![field as u8]].concat()));
        self.part(tag::CLASS, &[id], &[&[0; 4], &rest[..]].concat());
    }

    /// An instance with these contents.
    pub fn instance(&mut self, id: u64, class: u64, contents: &[u8]) {
        let length = (contents.len() as u32).to_be_bytes();
        let rest = [&[0; 4], &self.id(class)[..], &length, contents].concat();
        self.part(tag::INSTANCE, &[id], &rest);
    }

    /// An array of references.
    pub fn references(&mut self, id: u64, class: u64, elements: &[u64]) {
        let length = (elements.len() as u32).to_be_bytes();
        let elements: Vec<u8> = elements.iter().flat_map(|&id| self.id(id)).collect();
        self.part(tag::REFERENCES, &[id], &[&[0; 4], &length[..], &self.id(class), &elements].concat());
    }

    /// An array of `length` elements of a primitive type.
    pub fn primitives(&mut self, id: u64, element: Type, length: u32, contents: &[u8]) {
        let rest = [&[0; 4], &length.to_be_bytes()[..], &[element as u8], contents].concat();
        self.part(tag::PRIMITIVES, &[id], &rest);
    }

    /// All records since the last one become a segment.
    pub fn segment(&mut self) {
        let heap = std::mem::take(&mut self.heap);
        self.record(tag::HEAP_DUMP_SEGMENT, &heap);
    }

    /// The dump, with all that belongs to its end.
    pub fn finish(mut self) -> Vec<u8> {
        self.segment();
        self.record(tag::HEAP_DUMP_END, &[]);
        self.bytes
    }

    /// The dump as it is.
    pub fn unfinished(self) -> Vec<u8> {
        self.bytes
    }
}
