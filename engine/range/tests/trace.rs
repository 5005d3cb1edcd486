//! The record of a program.

mod common;

use std::fs;

use common::{UNIT, WORDS, Words, eventually, noise, open, options, submit, tame};
use ztera_range::{Options, SsdConfig};
use ztera_trace::{Event, Events};

/// Units that stay resident while a trace is recorded.
const RESIDENT: usize = 8;

fn read(bytes: &[u8]) -> Vec<Event> {
    Events::new(bytes).expect("a trace").map(|event| event.expect("an event")).collect()
}

/// Bug that it met in one of three runs: the evictor counted units. Those with holes free less, so that it went to sleep with
/// more resident than there should be.
#[test]
fn what_the_program_does_is_in_the_file() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("trace");
    let traced = Options { trace: Some(file.clone()), ..options(0) };
    let Some(range) = open(64 * UNIT, &traced) else { return };
    submit(&range, UNIT, 0, 40, tame);
    range.drain();
    let words = Words::of(&range);
    for unit in (0..40).chain(0..40) {
        words.get(unit * WORDS);
    }
    words.set(50 * WORDS, 1);
    range.tick();
    let saved = fs::read(&file).expect("the file");
    range.discard(0, 10 * UNIT as u64).expect("whole units");
    eventually("next to nothing is resident", || range.stats().resident_bytes <= (RESIDENT * UNIT) as u64);
    drop(range);

    let events = read(&fs::read(&file).expect("the file"));
    let mut touched: Vec<_> =
        events.iter().filter(|event| matches!(event, Event::Read(_) | Event::Write(_))).collect();
    // A thread may have to fault twice.
    touched.dedup();
    let again = touched.split_off(40);
    assert_eq!(touched, (0..40).map(Event::Read).collect::<Vec<_>>().iter().collect::<Vec<_>>());
    // Touches of the few units that are still resident are not seen.
    let mut expected = (0..40).map(Event::Read).chain([Event::Write(50)]);
    assert!(again.iter().all(|&event| expected.any(|wanted| wanted == *event)), "out of order: {again:?}");
    assert!(again.len() >= 41 - RESIDENT && again.last() == Some(&&Event::Write(50)), "not seen: {again:?}");
    let sized = events.iter().filter(|event| matches!(event, Event::Size { bytes: 1..10_000, .. }));
    assert_eq!(sized.count(), 40, "the size of each is known, and does not change");
    assert_eq!(events.first(), Some(&Event::Submit { first: 0, count: 40 }));
    assert_eq!(events.last(), Some(&Event::Discard { first: 0, count: 10 }));
    assert_eq!(read(&saved), events[..events.len() - 1], "up to the end of the epoch before it was closed");
}

/// Units that do not compress go past the pool, and nobody looked at their sizes. Replays took them to compress.
#[test]
fn what_is_only_on_ssd_has_a_size() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("trace");
    let ssd = Some(SsdConfig { limit: Some(64 << 20), ..SsdConfig::new(dir.path()) });
    let traced = Options { pool_max: (1024 * UNIT) as u64, ssd, trace: Some(file.clone()), ..options(0) };
    let Some(range) = open(64 * UNIT, &traced) else { return };
    submit(
        &range,
        UNIT,
        0,
        40,
        |unit, i| if unit.is_multiple_of(2) { noise(unit, i) } else { tame(unit, i) },
    );
    range.drain();
    assert_eq!(range.stats().bd_count, 20);
    let words = Words::of(&range);
    (0..40)
        .for_each(|unit| assert_eq!(words.get(unit * WORDS + 1) == noise(unit, 1), unit.is_multiple_of(2)));
    drop(range);

    let events = read(&fs::read(&file).expect("the file"));
    let of_ssd = |event: &&Event| matches!(**event, Event::Size { unit, bytes } if unit.is_multiple_of(2) && bytes == UNIT as u32);
    assert_eq!(events.iter().filter(of_ssd).count(), 20);
}

#[test]
fn an_older_trace_is_not_overwritten() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("trace");
    fs::write(&file, "precious").expect("a file");
    let error = ztera_range::Range::open(UNIT, &Options { trace: Some(file.clone()), ..options(0) });
    assert!(error.is_err());
    assert_eq!(fs::read(&file).expect("the file"), b"precious");
}
