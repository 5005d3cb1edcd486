//! Units that come back from SSD before anybody asks for them, when the pool gets room.

mod common;

use std::time::Duration;

use common::{UNIT, WORDS, Words, eventually, noise, open, options, serve, submit};
use tempfile::TempDir;
use ztera_range::{Options, Range, SsdConfig};

const MIB: u64 = 1 << 20;
/// 64 MiB, about a third of that when compressed.
const UNITS: usize = 4096;

fn value(unit: usize, i: usize) -> u64 {
    if i < WORDS / 3 { noise(unit, i) } else { 7 }
}

/// A range that has part of its units on SSD, as the limit of both pages and pool is too small for all.
fn partly_on_ssd() -> Option<(Range, TempDir)> {
    let directory = tempfile::tempdir().expect("a directory for the file");
    let ssd = SsdConfig { limit: Some(256 * MIB), ..SsdConfig::new(directory.path()) };
    let sharing = Options {
        resident_limit: MIB,
        pool_limit: 64 * MIB,
        dram_limit: 12 * MIB,
        ssd: Some(ssd),
        ..options(0)
    };
    let range = open(UNITS * UNIT, &sharing)?;
    (0..UNITS).step_by(64).for_each(|first| submit(&range, UNIT, first, 64, value));
    range.drain();
    Some((range, directory))
}

/// Each of them used to stay until a thread wanted it, and waited for it.
#[test]
fn units_come_back_from_ssd_when_the_pool_gets_room() {
    let Some((range, _directory)) = partly_on_ssd() else { return };
    eventually("a third is on SSD", || range.stats().bd_count > UNITS as u64 / 3);
    range.set_dram_limit(48 * MIB).expect("it has a limit");
    eventually("hardly any is left there", || range.stats().bd_count < UNITS as u64 / 64);
    let stats = range.stats();
    assert!(stats.refilled_units > UNITS as u64 / 4, "{stats:?}");
    assert_eq!(stats.fault_count, 0, "nobody has asked for them");
    let range = serve(range);
    let words = Words::of(&range);
    for unit in 0..UNITS {
        (0..WORDS).for_each(|i| assert_eq!(words.get(unit * WORDS + i), value(unit, i), "{unit}"));
    }
    assert_eq!(range.stats().bd_errors, 0);
}

#[test]
fn units_stay_on_ssd_while_the_pool_has_no_room() {
    let Some((range, _directory)) = partly_on_ssd() else { return };
    eventually("a third is on SSD", || range.stats().bd_count > UNITS as u64 / 3);
    // Less than what they take. Memory is divided anew each second.
    range.set_dram_limit(13 * MIB).expect("it has a limit");
    std::thread::sleep(Duration::from_millis(2500));
    let stats = range.stats();
    assert!(stats.refilled_units < UNITS as u64 / 8, "{stats:?}");
}
