//! How long an access to memory that is not resident takes.
//!
//! ```text
//! cargo run --release -p ztera-range --example fault_latency [unit bytes] [MiB] [lz4|zstd] [threads] [handler|sigbus]
//! ```
//! Prints, for random and for sequential first reads under a residency limit of an eighth, the median
//! and the 99th percentile per fault, and for several threads the faults per second of all of them.

use std::time::{Duration, Instant};

use ztera_codec::{CodecKind, Settings};
use ztera_kit::data::half_random;
use ztera_kit::sigbus::Served;
use ztera_range::{BUFFER_LEN, FaultMode, Options, Range};

struct Setup {
    unit: usize,
    len: usize,
    kind: CodecKind,
    threads: usize,
    mode: FaultMode,
}

fn setup() -> Setup {
    let mut args = std::env::args().skip(1);
    let mut number = |default: usize| args.next().map_or(default, |arg| arg.parse().expect("a number"));
    let (unit, mib) = (number(4096), number(256));
    let kind = match args.next().as_deref() {
        None | Some("lz4") => CodecKind::Lz4,
        Some("zstd") => CodecKind::Zstd,
        Some(other) => panic!("no codec {other}"),
    };
    let threads = args.next().map_or(1, |arg| arg.parse().expect("a number"));
    let mode = match args.next().as_deref() {
        None | Some("handler") => FaultMode::Handler,
        Some("sigbus") => FaultMode::Sigbus,
        Some(other) => panic!("no way to serve faults is called {other}"),
    };
    Setup { unit, len: mib << 20, kind, threads, mode }
}

fn load(range: &Range, len: usize) {
    for offset in (0..len).step_by(BUFFER_LEN) {
        let buffer = range.acquire().expect("a staging buffer");
        // SAFETY: the buffer is ours until it is submitted, and has this length.
        half_random(offset as u64, unsafe { std::slice::from_raw_parts_mut(buffer.as_ptr(), BUFFER_LEN) });
        range.submit(buffer.as_ptr(), offset as u64, BUFFER_LEN).expect("whole units");
    }
    range.drain();
}

/// Reads one word of each unit in the given order and returns the time of each read.
fn touch(base: usize, offsets: impl Iterator<Item = usize>) -> Vec<Duration> {
    let read = |offset: usize| {
        let start = Instant::now();
        // SAFETY: inside the range, which stays open; nobody writes to it.
        unsafe { std::ptr::with_exposed_provenance::<u64>(base + offset).read_volatile() };
        start.elapsed()
    };
    offsets.map(read).collect()
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |per_mille: usize| times[(times.len() - 1) * per_mille / 1000].as_nanos() as f64 / 1000.0;
    println!("{what:10}  median {:7.2} us  p99 {:7.2} us  ({} reads)", at(500), at(990), times.len());
}

fn main() {
    let setup = setup();
    let options = Options {
        unit_size: setup.unit,
        resident_max: (setup.len / 8) as u64,
        fault_mode: setup.mode,
        codec: Settings { kind: setup.kind, level: 0 },
        ..Options::default()
    };
    let range = Range::open(setup.len, &options).unwrap_or_else(|error| panic!("opening a range: {error}"));
    let range = Served::new(range, Range::serve_fault);
    let start = Instant::now();
    load(&range, setup.len);
    let stats = range.stats();
    let ratio = stats.orig_data_size as f64 / stats.mem_used_total as f64;
    let speed = setup.len as f64 / start.elapsed().as_secs_f64() / (1 << 20) as f64;
    println!("unit {}  {:?}  ratio {ratio:.2}  load {speed:.0} MiB/s", setup.unit, setup.kind);

    let (base, units) = (range.base().expose_provenance(), setup.len / setup.unit);
    let scattered = |i: usize, salt: usize| (i.wrapping_mul(0x9e37_79b1) + salt) % units * setup.unit;
    report("random", touch(base, (0..units).map(|i| scattered(i, 0))));
    report("sequential", touch(base, (0..units).map(|i| i * setup.unit)));
    if setup.threads > 1 {
        let before = range.stats().fault_count;
        let start = Instant::now();
        std::thread::scope(|scope| {
            for t in 0..setup.threads {
                scope.spawn(move || touch(base, (0..units).map(|i| scattered(i, t * 7919))));
            }
        });
        let faults = (range.stats().fault_count - before) as f64;
        println!("{} threads  {:.0} faults/s", setup.threads, faults / start.elapsed().as_secs_f64());
    }
    let stats = range.stats();
    println!(
        "evicted clean {}  dirty {}  resident {} of {} MiB",
        stats.evicted_clean,
        stats.evicted_dirty,
        stats.resident_bytes >> 20,
        stats.resident_limit >> 20
    );
}
