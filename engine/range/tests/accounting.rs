//! The system gets back all that a range took from it: alone in its process, which is weighed.

mod common;

use common::{UNIT, Words, engine_threads, eventually, noise, open, submit};
use ztera_range::Options;

const UNITS: usize = 6144;
const MIB: u64 = 1 << 20;

/// Resident set size of this process in bytes.
fn weight() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("proc is mounted");
    let pages: u64 = statm.split(' ').nth(1).and_then(|n| n.parse().ok()).expect("statm has a second field");
    pages * 4096
}

/// Weighed with 96 MiB of noise in it, after all of it was discarded, and after the range was closed.
/// These may stay: 8 bytes per unit in the table of slots, 4 in the queue of those that were resident,
/// 20 bytes per chunk of the pool, four staging buffers, and each thread's stack and codec.
#[test]
fn discarding_gives_memory_back() {
    let options = Options { resident_max: 8 * MIB, workers: 2, fault_threads: 2, ..Options::default() };
    // Started once before, for what the process itself keeps.
    let Some(range) = open(64 * UNIT, &options) else { return };
    drop(range);
    let fds = || std::fs::read_dir("/proc/self/fd").expect("proc is mounted").count();
    let (empty, fds_before) = (weight(), fds());

    let range = open(UNITS * UNIT, &options).expect("it worked before");
    for round in 0..3 {
        submit(&range, UNIT, 0, UNITS, noise);
        range.drain();
        let words = Words::of(&range);
        for unit in (0..UNITS).step_by(3) {
            assert_eq!(words.get(unit * UNIT / 8 + 9), noise(unit, 9));
            words.set(unit * UNIT / 8 + 9, 1);
        }
        let stats = range.stats();
        let held = stats.mem_used_total + stats.resident_bytes;
        assert!(held >= (UNITS * UNIT) as u64, "noise does not shrink");
        assert!(weight() >= empty + held / 10 * 9, "round {round}: the figures are true");

        range.discard(0, (UNITS * UNIT) as u64).expect("whole units");
        let stats = range.stats();
        assert_eq!((stats.resident_bytes, stats.mem_used_total), (0, 0));
        assert_eq!((stats.orig_data_size, stats.compr_data_size, stats.staged_bytes), (0, 0, 0));
        assert!(stats.staging_bytes <= 4 * MIB);
        // Units are discarded while they are evicted, so a batch of those may be on its way out.
        eventually("what is left is little", || weight() <= empty + stats.staging_bytes + 6 * MIB);
    }
    drop(range);
    assert_eq!((engine_threads().len(), fds()), (0, fds_before));
    assert!(weight() <= empty + 3 * MIB, "{} bytes stay after the range is closed", weight() - empty);
}
