//! The format of traces: what a program did to the units of a range, one event after the other.
//!
//! ```text
//! header   "ZTTRACE1", bytes of a unit (u32), units of the range (u32), both little-endian
//! event    varint: 8 * zigzag(unit - unit of the event before, at first 0) + kind
//!          and for some kinds another varint
//!
//! kind     event                                                other varint
//!   0      a unit is read
//!   1      a unit is written to
//!   2      units from here on get new contents from outside     how many
//!   3      units from here on are empty from now on             how many
//!   4      an epoch ends (unit as before)
//!   5      a unit takes so many bytes when it is compressed     bytes
//! ```
//!
//! A varint has seven bits per byte, the lowest first; the highest bit says that there is more (LEB128). Most
//! events take 2 to 4 bytes. A trace whose writer was ended ends in the middle of an event: what is there of
//! that is ignored.

mod event;
mod read;
mod write;

pub use event::{Event, Header};
pub use read::{Events, Malformed};
pub use write::Encoder;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const UNITS: u32 = 1 << 20;

    fn event() -> impl Strategy<Value = Event> {
        let run = || (0..UNITS, 1..UNITS).prop_map(|(first, count)| (first, count.min(UNITS - first)));
        prop_oneof![
            (0..UNITS).prop_map(Event::Read),
            (0..UNITS).prop_map(Event::Write),
            run().prop_map(|(first, count)| Event::Submit { first, count }),
            run().prop_map(|(first, count)| Event::Discard { first, count }),
            Just(Event::Epoch),
            (0..UNITS, 0..65536_u32).prop_map(|(unit, bytes)| Event::Size { unit, bytes }),
        ]
    }

    fn encode(events: &[Event]) -> Vec<u8> {
        let mut bytes = Header { unit_len: 16384, units: UNITS }.bytes().to_vec();
        let mut encoder = Encoder::default();
        events.iter().for_each(|&event| encoder.push(event, &mut bytes));
        bytes
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(events in prop::collection::vec(event(), 0..200)) {
            let bytes = encode(&events);
            let read: Result<Vec<_>, _> = Events::new(&bytes).unwrap().collect();
            prop_assert_eq!(read.unwrap(), events);
        }

        #[test]
        fn a_cut_tail_costs_what_was_cut(events in prop::collection::vec(event(), 1..50), cut in 1..20_usize) {
            let bytes = encode(&events);
            let kept = &bytes[..bytes.len().saturating_sub(cut).max(Header::LEN)];
            let read: Vec<_> = Events::new(kept).unwrap().collect::<Result<_, _>>().unwrap();
            prop_assert!(read.len() < events.len());
            prop_assert_eq!(&read[..], &events[..read.len()]);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut file = Header { unit_len: 4096, units: 100 }.bytes().to_vec();
            file.extend(&bytes);
            prop_assert!(Events::new(&file).unwrap().count() <= bytes.len());
        }
    }

    #[test]
    fn neighbours_take_one_byte() {
        let events: Vec<_> = (0..100).map(Event::Read).collect();
        assert_eq!(encode(&events).len(), Header::LEN + 100);
    }

    #[test]
    fn what_is_no_trace_is_refused() {
        assert_eq!(Events::new(b"").err(), Some(Malformed));
        assert_eq!(Events::new(b"PK and so on, no trace").err(), Some(Malformed));
        let mut file = Header { unit_len: 4096, units: 3 }.bytes().to_vec();
        Encoder::default().push(Event::Read(3), &mut file);
        assert_eq!(Events::new(&file).unwrap().next(), Some(Err(Malformed)));
    }
}
