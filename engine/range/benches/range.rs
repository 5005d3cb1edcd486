//! How long a thread waits for the engine: at its first touch of a cold unit, and when it hands over a buffer.

use std::fmt;

use divan::Bencher;
use divan::counter::BytesCount;
use ztera_kit::data;
use ztera_kit::sigbus::Served;
use ztera_range::{BUFFER_LEN, FaultMode, Options, Range};

const UNIT: usize = 16 << 10;
const LEN: usize = 64 << 20;

/// Units touched in a sample.
const SAMPLE: u32 = 64;

fn main() {
    divan::main();
}

/// The thread that serves faults, and how many units may be resident (0 = all).
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    mode: FaultMode,
    resident: usize,
}

const CASES: [Case; 3] = [
    Case { name: "served by who faults", mode: FaultMode::Sigbus, resident: 0 },
    Case { name: "served by a thread", mode: FaultMode::Handler, resident: 0 },
    Case { name: "served by who faults, and one evicted for each", mode: FaultMode::Sigbus, resident: 512 },
];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

fn range(mode: FaultMode, resident: usize) -> Served<Range> {
    let options = Options {
        unit_size: UNIT,
        fault_mode: mode,
        resident_max: (resident * UNIT) as u64,
        ..Options::default()
    };
    let range = Range::open(LEN, &options).unwrap_or_else(|error| panic!("opening a range: {error}"));
    Served::new(range, Range::serve_fault)
}

/// A staging buffer with these bytes.
fn buffer(range: &Range, bytes: &[u8]) -> *mut u8 {
    let buffer = range.acquire().expect("a staging buffer");
    // SAFETY: the buffer is ours until it is submitted, and has this length.
    unsafe { buffer.as_ptr().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    buffer.as_ptr()
}

fn submit(range: &Range, buffer: *mut u8, offset: usize) {
    range.submit(buffer, offset as u64, BUFFER_LEN).expect("whole units");
}

/// Makes all units cold, whatever they are.
fn cool(range: &Range, bytes: &[u8]) {
    for offset in (0..LEN).step_by(BUFFER_LEN) {
        submit(range, buffer(range, bytes), offset);
    }
    range.drain();
}

/// The first touch of a unit that is compressed with lz4, by one thread that jumps.
#[divan::bench(args = CASES, sample_size = SAMPLE)]
fn fault(bencher: Bencher<'_, '_>, case: Case) {
    let range = range(case.mode, case.resident);
    let (base, bytes) = (range.base().expose_provenance(), data::objects(BUFFER_LEN));
    let units = LEN / UNIT;
    let mut touched = 0;
    let next = || {
        if touched % units == 0 && (touched == 0 || case.resident == 0) {
            cool(&range, &bytes);
        }
        touched += 1;
        // An odd stride: all units once, and never the one behind the last.
        base + touched * 1237 % units * UNIT
    };
    bencher.with_inputs(next).bench_local_values(|address| {
        // SAFETY: inside the range, which stays open; nobody writes to it.
        unsafe { std::ptr::with_exposed_provenance::<u64>(address).read_volatile() }
    });
}

/// The wait of a garbage collection: a buffer of 1 MiB is handed over. It is compressed behind the measurement.
#[divan::bench(sample_size = 1)]
fn submit_buffer(bencher: Bencher<'_, '_>) {
    let range = range(FaultMode::Sigbus, 0);
    let bytes = data::objects(BUFFER_LEN);
    let filled = || {
        range.drain();
        buffer(&range, &bytes)
    };
    bencher.with_inputs(filled).bench_local_values(|buffer| submit(&range, buffer, 0));
}

/// The same until it is compressed, by all threads that there are.
#[divan::bench(sample_size = 1)]
fn submit_and_drain(bencher: Bencher<'_, '_>) {
    let range = range(FaultMode::Sigbus, 0);
    let bytes = data::objects(BUFFER_LEN);
    let counted = bencher.counter(BytesCount::new(BUFFER_LEN));
    counted.with_inputs(|| buffer(&range, &bytes)).bench_local_values(|buffer| {
        submit(&range, buffer, 0);
        range.drain();
    });
}
