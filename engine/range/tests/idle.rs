//! A unit that nobody has touched for some epochs becomes smaller, and goes to SSD, before room is needed; but only where
//! room is worth something.

mod common;

use common::{UNIT, WORDS, Words, eventually, noise, open, options, submit};
use tempfile::TempDir;
use ztera_codec::{CodecKind, Settings};
use ztera_range::{Census, Options, Range, SsdConfig, WriteBack};

const MIB: u64 = 1 << 20;
const UNITS: usize = 512;
const DENSER: Settings = Settings { kind: CodecKind::Zstd, level: 0 };

/// Every other word is of 16 letters, of which lz4 makes nothing, and zstd half.
fn letters(unit: usize, i: usize) -> u64 {
    if i.is_multiple_of(2) { noise(unit, i) & 0x0f0f_0f0f_0f0f_0f0f } else { unit as u64 }
}

/// One worker: each thread that stores has chunks of its own that are not full, and such a small pool has few.
fn idle(pool_max: u64) -> Options {
    Options { idle_epochs: 4, pool_max, workers: 1, ..options(16) }
}

/// A range that was filled, and then left alone. Little is staged at a time: the pool promises room for units as they are.
fn filled(options: &Options) -> Option<Range> {
    const TOGETHER: usize = 64;
    let range = open(UNITS * UNIT, options)?;
    for first in (0..UNITS).step_by(TOGETHER) {
        submit(&range, UNIT, first, TOGETHER, letters);
        range.drain();
    }
    Some(range)
}

fn check(range: &Range, units: std::ops::Range<usize>) {
    let words = Words::of(range);
    for unit in units {
        (0..WORDS).step_by(97).for_each(|i| assert_eq!(words.get(unit * WORDS + i), letters(unit, i)));
    }
}

fn pass_epochs(range: &Range, count: u32) {
    (0..count).for_each(|_| range.tick());
}

#[test]
fn idle_units_become_smaller() {
    const POOL: u64 = 6 * MIB;
    let Some(range) = filled(&Options { recompress: Some(DENSER), ..idle(POOL) }) else { return };
    let before = range.stats();
    assert!(before.compr_data_size > POOL / 2, "the pool has to be half full: {before:?}");
    pass_epochs(&range, 4);
    assert_eq!(range.stats().recompressed_units, 0, "nothing is idle yet");
    // A tick later the workers have something to do; another one if a thread was busy with a unit.
    eventually("as many are recompressed as it takes for half of the pool to be free", || {
        pass_epochs(&range, 1);
        range.stats().compr_data_size < POOL / 2
    });
    let after = range.stats();
    assert!(after.recompressed_units > UNITS as u64 / 8, "{after:?}");
    assert!(after.mem_used_total < before.mem_used_total / 8 * 7, "the pool has given memory back");
    let all = (UNITS * UNIT) as u64;
    let census = range.census(0, all).expect("whole units");
    assert_eq!(census, Census { compressed: all, idle: all, ..Census::default() });
    check(&range, 0..UNITS);
    // A unit that is being read ahead or evicted is still where it was.
    eventually("threads come to rest", || {
        let census = range.census(0, all).expect("whole units");
        assert_eq!(census.resident + census.compressed, all);
        (census.resident, census.idle) == (range.stats().resident_bytes, 0)
    });
    range.discard(0, all).expect("whole units");
    assert_eq!(range.stats().mem_used_total, 0);
    assert_eq!(range.census(0, all).expect("whole units"), Census::default());
    assert!(range.census(1, all).is_err());
}

/// All idle units of the pool were listed at once, in 16 bytes each that were in nobody's budget. Now some thousands are, and
/// then the next ones.
#[test]
fn many_idle_units_become_smaller_in_turns() {
    const PAGE: usize = 4096;
    const MANY: usize = 10_000;
    let small = Options { unit_size: PAGE, recompress: Some(DENSER), ..idle(48 * MIB) };
    let Some(range) = open(MANY * PAGE, &small) else { return };
    submit(&range, PAGE, 0, MANY, letters);
    range.drain();
    eventually("all of it was tried", || {
        pass_epochs(&range, 1);
        range.stats().recompress_tried_units == MANY as u64
    });
    pass_epochs(&range, 20);
    assert_eq!(range.stats().recompress_tried_units, MANY as u64, "each once");
    let words = Words::of(&range);
    (0..MANY).for_each(|unit| assert_eq!(words.get(unit * PAGE / 8 + 6), letters(unit, 6)));
}

/// Another thread that moves units to SSD is in the way, but not for good.
#[test]
fn what_could_not_be_recompressed_is_recompressed_later() {
    let directory = TempDir::new().expect("a directory for the file");
    let ssd = SsdConfig { write_rate: Some(MIB), ..SsdConfig::new(directory.path()) };
    let Some(range) = filled(&Options { recompress: Some(DENSER), ssd: Some(ssd), ..idle(11 * MIB / 2) })
    else {
        return;
    };
    std::thread::scope(|scope| {
        // About a second of writing.
        let part = (UNITS / 4 * UNIT) as u64;
        let range = &range;
        scope.spawn(move || range.write_back(0, part, WriteBack::All).expect("the disk works"));
        std::thread::sleep(std::time::Duration::from_millis(50));
        pass_epochs(range, 8);
    });
    eventually("the rest is recompressed", || {
        pass_epochs(&range, 1);
        range.stats().recompressed_units > UNITS as u64 / 8
    });
    check(&range, 0..UNITS);
}

#[test]
fn what_is_used_stays_as_it_is() {
    let Some(range) = filled(&Options { recompress: Some(DENSER), ..idle(6 * MIB) }) else { return };
    for _ in 0..16 {
        check(&range, 0..UNITS);
        pass_epochs(&range, 1);
    }
    assert_eq!(range.stats().recompressed_units, 0);
}

#[test]
fn a_pool_with_room_is_left_alone() {
    let directory = TempDir::new().expect("a directory for the file");
    let ssd = Some(SsdConfig::new(directory.path()));
    let Some(range) = filled(&Options { recompress: Some(DENSER), ssd, ..idle(64 * MIB) }) else { return };
    pass_epochs(&range, 200);
    std::thread::sleep(std::time::Duration::from_millis(200));
    let stats = range.stats();
    assert_eq!((stats.recompressed_units, stats.demoted_units), (0, 0));
}

/// Rounds are small: the SSD is not kept busy with what has time.
#[test]
fn idle_units_go_to_ssd() {
    let directory = TempDir::new().expect("a directory for the file");
    let ssd = Some(SsdConfig::new(directory.path()));
    let limit = 6 * MIB;
    let Some(range) = filled(&Options { ssd, ..idle(limit) }) else { return };
    let before = range.stats();
    assert_eq!(before.demoted_units, 0, "there is room");
    let (mut last, mut still) = (0, 0);
    eventually("idle units go to SSD while the pool is nearly full, and no longer", || {
        pass_epochs(&range, 1);
        std::thread::sleep(std::time::Duration::from_millis(20));
        let stats = range.stats();
        let step = stats.demoted_units - std::mem::replace(&mut last, stats.demoted_units);
        // A round that was late may be seen together with the next one.
        assert!(step < UNITS as u64 / 8, "{step} units at once");
        still = if step == 0 { still + 1 } else { 0 };
        stats.demoted_units > 0 && still > 20
    });
    let stats = range.stats();
    // Lengths are rounded up by a quarter at most, and what left may have left holes in chunks.
    assert!(stats.compr_data_size > limit / 16 * 9, "it is not emptied: {stats:?}");
    assert!(stats.compr_data_size < limit / 16 * 13, "{stats:?}");
    let all = (UNITS * UNIT) as u64;
    let census = range.census(0, all).expect("whole units");
    assert_eq!(census.on_ssd, stats.bd_data_size);
    assert!(census.on_ssd > 0 && census.compressed > 0 && census.idle == census.compressed);
    // The first half is in use again.
    check(&range, 0..UNITS / 2);
    let moved = range.write_back(0, all, WriteBack::Idle).expect("the disk works");
    // A unit that is just being read ahead still looks idle.
    assert!(moved > 0 && moved < all / 2 + all / 16, "{moved} bytes");
    assert!(range.write_back(0, all, WriteBack::All).expect("the disk works") > 0);
    check(&range, 0..UNITS);
}

/// Data that a denser codec makes nothing of cost a sample, not all of it.
#[test]
fn what_does_not_get_smaller_is_given_up() {
    let options = Options { codec: DENSER, recompress: Some(Settings::default()), ..idle(21 * MIB / 4) };
    let Some(range) = filled(&options) else { return };
    let before = range.stats();
    assert!(before.compr_data_size > 5 * MIB / 2, "{before:?}");
    pass_epochs(&range, 20);
    eventually("some were tried", || range.stats().recompress_tried_units > 0);
    std::thread::sleep(std::time::Duration::from_millis(300));
    let stats = range.stats();
    assert_eq!((stats.recompressed_units, stats.compr_data_size), (0, before.compr_data_size));
    assert!(stats.recompress_tried_units < UNITS as u64 / 2, "{} were tried", stats.recompress_tried_units);
    check(&range, 0..UNITS);
}
