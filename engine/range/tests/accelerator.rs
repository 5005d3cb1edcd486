//! A range with an accelerator, which is a model here: it gets what is submitted, and what is recompressed, in batches. Each
//! unit is counted once, and whatever the device does, contents are right.

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{UNIT, WORDS, Words, eventually, noise, open, options, submit};
use ztera_accel::{Accelerator, Backend, Options as Use, Verify};
use ztera_codec::{CodecKind, Settings};
use ztera_range::{Options, Range};

const DEFLATE: Settings = Settings { kind: CodecKind::Deflate, level: 0 };
const UNITS: usize = 256;
const LONG: Duration = Duration::from_secs(60);

fn accelerator(params: &str, deadline: Duration) -> Arc<Accelerator> {
    let backend: Backend = format!("model:latency=5,page=0,level=1,{params}").parse().expect("a model");
    let used = Use { deadline, verify: Verify::Decode, ..Use::default() };
    Arc::new(Accelerator::start(backend.open().expect("a model"), used).expect("a thread"))
}

/// Words of a text: no filter makes more of them than deflate.
fn text(unit: usize, i: usize) -> u64 {
    let mut letters = *b"abcdefgh";
    letters.iter_mut().enumerate().for_each(|(at, letter)| *letter += ((unit + i * (at + 3)) % 17) as u8);
    u64::from_ne_bytes(letters)
}

fn by_device(device: &Arc<Accelerator>) -> Options {
    Options { codec: DEFLATE, accelerator: Some(device.clone()), ..options(16) }
}

fn check(range: &Range, word: fn(usize, usize) -> u64) {
    let words = Words::of(range);
    for unit in 0..UNITS {
        (0..WORDS).step_by(61).for_each(|i| assert_eq!(words.get(unit * WORDS + i), word(unit, i)));
    }
}

/// The sums of all units that the device could have had.
fn outcomes(device: &Accelerator) -> u64 {
    let all = ztera_metrics::OFFLOAD.iter().map(|it| it.name).zip(device.stats().values());
    all.filter(|(name, _)| !["in_flight_units", "resets"].contains(name)).map(|(_, count)| count).sum()
}

#[test]
fn submitted_units_go_to_the_device_in_batches() {
    let device = accelerator("instances=4,ring=256", LONG);
    let Some(range) = open(UNITS * UNIT, &by_device(&device)) else { return };
    submit(&range, UNIT, 0, UNITS, text);
    range.drain();
    let (stats, counts) = (range.stats(), device.stats());
    // The CPU takes some where the device has many.
    assert_eq!(stats.offloaded_units, counts.offloaded_units);
    assert_eq!((stats.offload_missed_units, stats.offload_wrong_units), (counts.busy_units, 0), "{counts:?}");
    assert_eq!(stats.offloaded_units + stats.offload_missed_units, UNITS as u64, "{stats:?}");
    assert_eq!(outcomes(&device), UNITS as u64);
    assert!(stats.compr_data_size < stats.orig_data_size / 2, "{stats:?}");
    check(&range, text);
}

/// A job of 64 units is one batch: a device with less room than that refuses the rest of it at once. One that got unit after unit
/// would have been full for none.
#[test]
fn a_batch_is_more_than_a_small_ring() {
    let device = accelerator("instances=1,ring=8", LONG);
    let Some(range) = open(UNITS * UNIT, &Options { workers: 1, ..by_device(&device) }) else { return };
    submit(&range, UNIT, 0, UNITS, text);
    range.drain();
    let (stats, counts) = (range.stats(), device.stats());
    assert!(counts.ring_full_units > 0, "{counts:?}");
    assert_eq!(stats.offloaded_units + stats.offload_missed_units, UNITS as u64, "{stats:?}");
    check(&range, text);
}

/// Each answer of the device is wrong: none is kept, all are counted, and the CPU compresses the units.
#[test]
fn wrong_answers_are_caught() {
    let device = accelerator("instances=4,ring=256,corrupt=1", LONG);
    let Some(range) = open(UNITS * UNIT, &by_device(&device)) else { return };
    submit(&range, UNIT, 0, UNITS, text);
    range.drain();
    let (stats, counts) = (range.stats(), device.stats());
    assert_eq!(stats.offloaded_units, 0, "{counts:?}");
    assert_eq!(stats.offload_missed_units, UNITS as u64);
    assert_eq!(outcomes(&device), UNITS as u64, "{counts:?}");
    // A header that is not one, or a length that cannot be, is seen before anything is decoded.
    assert!((1..=counts.wrong_units).contains(&stats.offload_wrong_units), "{stats:?}, {counts:?}");
    assert!(counts.resets > 0, "{counts:?}");
    check(&range, text);
}

#[test]
fn a_device_that_makes_every_mistake_loses_nothing() {
    let faults = "error=0.05,corrupt=0.1,expand=0.05,slow=0.05,stuck=0.02,reset=0.02,seed=3";
    let device = accelerator(&format!("instances=4,ring=64,{faults}"), Duration::from_millis(5));
    let Some(range) = open(UNITS * UNIT, &by_device(&device)) else { return };
    for _ in 0..4 {
        submit(&range, UNIT, 0, UNITS, text);
        range.drain();
        check(&range, text);
    }
    let (stats, counts) = (range.stats(), device.stats());
    assert_eq!(stats.offloaded_units, counts.offloaded_units);
    assert_eq!(
        stats.offload_missed_units + stats.offloaded_units,
        outcomes(&device),
        "{stats:?}, {counts:?}"
    );
}

#[test]
fn noise_stays_on_the_cpu() {
    let device = accelerator("ring=64", LONG);
    let Some(range) = open(UNITS * UNIT, &by_device(&device)) else { return };
    submit(&range, UNIT, 0, UNITS, noise);
    range.drain();
    assert_eq!(outcomes(&device), 0, "{:?}", device.stats());
    check(&range, noise);
}

/// Idle units that lz4 has made are made anew by the device, and each of them is counted.
#[test]
fn idle_units_are_recompressed_by_the_device() {
    const POOL: u64 = 3 << 20;
    let device = accelerator("instances=4,ring=64", LONG);
    let idle = Options {
        codec: Settings::default(),
        recompress: Some(DEFLATE),
        idle_epochs: 4,
        pool_max: POOL,
        workers: 1,
        ..by_device(&device)
    };
    let Some(range) = open(UNITS * UNIT, &idle) else { return };
    for first in (0..UNITS).step_by(64) {
        submit(&range, UNIT, first, 64, letters);
        range.drain();
    }
    // Where the pool has no room for an object of lz4, a unit becomes denser at once, and that is the device's, too.
    let at_once = outcomes(&device);
    assert!(at_once < UNITS as u64, "lz4 is the CPU's");
    let before = range.stats();
    assert!(before.compr_data_size > POOL / 2, "the pool has to be half full: {before:?}");
    eventually("units are recompressed", || {
        range.tick();
        range.stats().recompressed_units > UNITS as u64 / 16
    });
    eventually("workers come to rest", || {
        let counted = |stats: &ztera_range::Stats| stats.offloaded_units + stats.offload_missed_units;
        let (stats, all) = (range.stats(), outcomes(&device));
        counted(&stats) == all && stats.recompress_tried_units == all - at_once
    });
    let (stats, counts) = (range.stats(), device.stats());
    assert_eq!(stats.offloaded_units, counts.offloaded_units);
    assert!(stats.offloaded_units >= stats.recompressed_units / 2, "{stats:?}, {counts:?}");
    check(&range, letters);
}

/// Letters in no order: lz4 makes nothing of them, and deflate half.
fn letters(unit: usize, i: usize) -> u64 {
    if i.is_multiple_of(2) { noise(unit, i) & 0x0f0f_0f0f_0f0f_0f0f } else { 0x6162_6364_6566_6768 }
}

#[test]
fn without_deflate_an_accelerator_is_refused() {
    let wrong = Options { codec: Settings::default(), ..by_device(&accelerator("", LONG)) };
    let error = Range::open(UNITS * UNIT, &wrong).err().expect("refused").to_string();
    assert!(error.contains("deflate"), "{error}");
}
