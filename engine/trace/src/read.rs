//! Bytes as events.

use std::fmt;

use crate::event::{DISCARD, EPOCH, Event, Header, KIND_BITS, READ, SIZE, SUBMIT, WRITE};

/// The bytes are not a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a trace, or a damaged one")
    }
}

impl std::error::Error for Malformed {}

/// The events of a trace in their order.
#[derive(Clone, Debug)]
pub struct Events<'b> {
    header: Header,
    rest: &'b [u8],
    last: u32,
}

impl<'b> Events<'b> {
    /// Those of a whole file.
    pub fn new(file: &'b [u8]) -> Result<Self, Malformed> {
        let header = Header::read(file).ok_or(Malformed)?;
        Ok(Self { header, rest: &file[Header::LEN..], last: 0 })
    }

    /// The head, before them.
    pub fn header(&self) -> Header {
        self.header
    }

    /// `None` at the end, also in the middle of an event.
    fn read(&mut self) -> Option<Result<Event, Malformed>> {
        let mut rest = self.rest;
        let event = match (varint(&mut rest)?, self.last) {
            (Ok(word), last) => event(word, last, &mut rest)?,
            (Err(malformed), _) => Err(malformed),
        };
        let checked = event.and_then(|event| self.check(event));
        // Behind what is malformed there is nothing to be understood.
        self.rest = if checked.is_ok() { rest } else { &[] };
        Some(checked)
    }

    /// Whether the units that it is about exist.
    fn check(&mut self, event: Event) -> Result<Event, Malformed> {
        let (first, count) = match event {
            Event::Read(unit) | Event::Write(unit) | Event::Size { unit, .. } => (unit, 1),
            Event::Submit { first, count } | Event::Discard { first, count } => (first, count),
            Event::Epoch => return Ok(event),
        };
        let end = first.checked_add(count).ok_or(Malformed)?;
        self.last = first;
        if end <= self.header.units { Ok(event) } else { Err(Malformed) }
    }
}

fn event(word: u64, last: u32, rest: &mut &[u8]) -> Option<Result<Event, Malformed>> {
    let step = unzigzag(word >> KIND_BITS);
    let Some(unit) = i64::from(last).checked_add(step).and_then(|unit| u32::try_from(unit).ok()) else {
        return Some(Err(Malformed));
    };
    let mut more = || Some(varint(rest)?.and_then(|number| u32::try_from(number).map_err(|_| Malformed)));
    Some(match word & ((1 << KIND_BITS) - 1) {
        READ => Ok(Event::Read(unit)),
        WRITE => Ok(Event::Write(unit)),
        SUBMIT => more()?.map(|count| Event::Submit { first: unit, count }),
        DISCARD => more()?.map(|count| Event::Discard { first: unit, count }),
        EPOCH => Ok(Event::Epoch),
        SIZE => more()?.map(|bytes| Event::Size { unit, bytes }),
        _ => Err(Malformed),
    })
}

impl Iterator for Events<'_> {
    type Item = Result<Event, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read()
    }
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// `None` if the bytes end before it does.
fn varint(bytes: &mut &[u8]) -> Option<Result<u64, Malformed>> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(Ok(number));
        }
    }
    Some(Err(Malformed))
}
