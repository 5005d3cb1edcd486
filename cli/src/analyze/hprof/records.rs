// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Classes and objects of a dump, one after the other. The format is told in HotSpot's `heapDumper.cpp`.

use std::io::{BufRead, Seek};

use super::error::{ANDROID, COMPRESSED, Error, NO_DUMP};
use super::input::Input;
use super::tag;
use super::types::Type;

/// A class, without what does not matter for its instances.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Its mirror.
    pub id: u64,
    /// 0 if there is none.
    pub superclass: u64,
    /// Of its own, in the order of the dump.
    pub fields: Box<[Type]>,
}

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Of a class.
    Instance {
        /// Its id.
        class: u64,
    },
    /// An array of references.
    References {
        /// Of the array, not of the elements.
        class: u64,
        /// Elements.
        length: u32,
    },
    /// An array of a primitive type.
    Primitives {
        /// Type of the elements.
        element: Type,
        /// Elements.
        length: u32,
    },
}

/// An object whose contents come next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Object {
    /// HotSpot writes its address.
    pub id: u64,
    /// The kind.
    pub kind: Kind,
    /// Bytes of its contents in the dump.
    pub body: u64,
}

/// A part of a dump.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// A class.
    Class(Class),
    /// An object.
    Object(Object),
}

/// Reads them.
pub struct Records<R> {
    input: Input<R>,
    id_bytes: usize,
    /// Of the last object's contents, what has not been read.
    body: u64,
    heap: State,
}

/// How much of the heap has been seen.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Nothing,
    Whole,
    /// More follows, or the record that says that nothing does.
    Segment,
}

/// Version 1.0.1 knows no segments, and is else the same.
const FORMATS: [&[u8]; 2] = [b"JAVA PROFILE 1.0.2\0", b"JAVA PROFILE 1.0.1\0"];
const FORMAT_OF_ANDROID: &[u8] = b"JAVA PROFILE 1.0.3\0";
const GZIP: &[u8] = &[0x1f, 0x8b];

impl<R: BufRead + Seek> Records<R> {
    /// Reads the header.
    pub fn new(mut input: Input<R>) -> Result<Self, Error> {
        check_format(&mut input)?;
        let id_bytes = match input.u4()? {
            4 => 4,
            8 => 8,
            other => return Err(input.damaged(format!("ids of {other} bytes"))),
        };
        let _milliseconds_since_1970 = input.u8()?;
        // Sections are those of the heap; there is none yet.
        input.enter(0)?;
        Ok(Self { input, id_bytes, body: 0, heap: State::Nothing })
    }

    /// Bytes of the file that have been read.
    pub fn at(&self) -> u64 {
        self.input.at()
    }

    /// Bytes of an id.
    pub fn id_bytes(&self) -> usize {
        self.id_bytes
    }

    /// Reads what comes next of the last object's contents. Panics if that is less than `bytes`.
    pub fn read_body(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.body = self.body.checked_sub(bytes.len() as u64).expect("the object has such contents");
        self.input.read(bytes)
    }

    /// Says so, here.
    pub fn damaged(&self, what: impl Into<String>) -> Error {
        self.input.damaged(what)
    }

    /// The next class or object; `None` at the end of the heap. The unread part of the last one is skipped.
    pub fn next(&mut self) -> Result<Option<Found>, Error> {
        self.input.skip(std::mem::take(&mut self.body))?;
        loop {
            if self.input.left() == 0 {
                if !self.next_segment()? {
                    return Ok(None);
                }
            } else if let Some(found) = self.sub_record()? {
                return Ok(Some(found));
            }
        }
    }

    /// Enters the next part of the heap, if there is one.
    fn next_segment(&mut self) -> Result<bool, Error> {
        self.input.leave();
        loop {
            if self.input.left_of_file() == 0 {
                return match self.heap {
                    State::Whole => Ok(false),
                    State::Nothing | State::Segment => Err(Error::Truncated(self.input.at())),
                };
            }
            let tag = self.input.u1()?;
            let _microseconds = self.input.u4()?;
            let bytes = u64::from(self.input.u4()?);
            match tag {
                tag::HEAP_DUMP => self.heap = State::Whole,
                tag::HEAP_DUMP_SEGMENT => self.heap = State::Segment,
                tag::HEAP_DUMP_END => return Ok(false),
                tag if tag::WITHOUT_OBJECTS.contains(&tag) => {
                    self.input.skip(bytes)?;
                    continue;
                }
                tag => return Err(self.damaged(format!("a record of unknown kind {tag:#x}"))),
            }
            self.input.enter(bytes)?;
            return Ok(true);
        }
    }

    fn sub_record(&mut self) -> Result<Option<Found>, Error> {
        let id = self.id_bytes as u64;
        let tag = self.input.u1()?;
        let root = match tag {
            tag::CLASS => return self.class().map(|class| Some(Found::Class(class))),
            tag::INSTANCE | tag::REFERENCES | tag::PRIMITIVES => {
                return self.object(tag).map(|object| Some(Found::Object(object)));
            }
            tag::ROOT_UNKNOWN | tag::ROOT_STICKY_CLASS | tag::ROOT_MONITOR => id,
            tag::ROOT_JNI_GLOBAL => 2 * id,
            tag::ROOT_NATIVE_STACK | tag::ROOT_THREAD_BLOCK => id + 4,
            tag::ROOT_JNI_LOCAL | tag::ROOT_FRAME | tag::ROOT_THREAD => id + 8,
            tag => return Err(self.damaged(format!("a part of the heap of unknown kind {tag:#x}"))),
        };
        self.input.skip(root)?;
        Ok(None)
    }

    fn object(&mut self, tag: u8) -> Result<Object, Error> {
        let id = self.id()?;
        let _stack_trace = self.input.u4()?;
        let (kind, body) = match tag {
            tag::INSTANCE => (Kind::Instance { class: self.id()? }, u64::from(self.input.u4()?)),
            tag::REFERENCES => {
                let length = self.input.u4()?;
                (Kind::References { class: self.id()?, length }, u64::from(length) * self.id_bytes as u64)
            }
            _ => {
                let length = self.input.u4()?;
                let element = self.field_type()?;
                (Kind::Primitives { element, length }, u64::from(length) * self.bytes_of(element))
            }
        };
        self.input.expect(body)?;
        self.body = body;
        Ok(Object { id, kind, body })
    }

    fn class(&mut self) -> Result<Class, Error> {
        let id = self.id()?;
        let _stack_trace = self.input.u4()?;
        let superclass = self.id()?;
        // Loader, signers, protection domain, two that are reserved, and the sum of the fields' sizes.
        self.input.skip(5 * self.id_bytes as u64 + 4)?;
        for _constant in 0..self.input.u2()? {
            self.input.skip(2)?;
            self.skip_value()?;
        }
        for _static_field in 0..self.input.u2()? {
            self.id()?;
            self.skip_value()?;
        }
        let count = self.input.u2()?;
        let field = |_| {
            self.id()?;
            self.field_type()
        };
        let fields = (0..count).map(field).collect::<Result<_, _>>()?;
        Ok(Class { id, superclass, fields })
    }

    fn skip_value(&mut self) -> Result<(), Error> {
        let kind = self.field_type()?;
        self.input.skip(self.bytes_of(kind))
    }

    fn field_type(&mut self) -> Result<Type, Error> {
        let number = self.input.u1()?;
        Type::from_number(number).ok_or_else(|| self.damaged(format!("a value of unknown type {number}")))
    }

    fn bytes_of(&self, kind: Type) -> u64 {
        kind.bytes(self.id_bytes) as u64
    }

    fn id(&mut self) -> Result<u64, Error> {
        if self.id_bytes == 4 { self.input.u4().map(u64::from) } else { self.input.u8() }
    }
}

/// Reads the name of the format, with the 0 behind it.
fn check_format<R: BufRead + Seek>(input: &mut Input<R>) -> Result<(), Error> {
    let mut start = vec![0; FORMATS[0].len().min(input.left() as usize)];
    input.read(&mut start)?;
    match &start[..] {
        start if FORMATS.contains(&start) => Ok(()),
        FORMAT_OF_ANDROID => Err(ANDROID),
        start if start.starts_with(GZIP) => Err(COMPRESSED),
        [_, ..] if FORMATS.iter().any(|format| format.starts_with(&start)) => {
            Err(Error::Truncated(input.at()))
        }
        _ => Err(NO_DUMP),
    }
}
