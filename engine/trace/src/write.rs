//! Events as bytes.

use crate::event::{DISCARD, EPOCH, Event, KIND_BITS, READ, SIZE, SUBMIT, WRITE};

/// Makes bytes of events, which have to be read in the same order.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    last: u32,
}

impl Encoder {
    /// Appends `event` to `bytes`.
    pub fn push(&mut self, event: Event, bytes: &mut Vec<u8>) {
        let (kind, unit, more) = match event {
            Event::Read(unit) => (READ, unit, None),
            Event::Write(unit) => (WRITE, unit, None),
            Event::Submit { first, count } => (SUBMIT, first, Some(count)),
            Event::Discard { first, count } => (DISCARD, first, Some(count)),
            Event::Epoch => (EPOCH, self.last, None),
            Event::Size { unit, bytes } => (SIZE, unit, Some(bytes)),
        };
        let step = i64::from(unit) - i64::from(self.last);
        self.last = unit;
        varint(zigzag(step) << KIND_BITS | kind, bytes);
        if let Some(more) = more {
            varint(more.into(), bytes);
        }
    }
}

/// Small numbers of either sign as small ones without.
fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

fn varint(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
