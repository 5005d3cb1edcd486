//! Reads of single values in a range that shares a budget with its pool: `point_reads DATA_MIB BUDGET_MIB UNIT_KIB
//! uniform|zipf SECONDS THREADS [WRITES_PERCENT [NOISE_PERCENT [SSD_DIRECTORY]]]`. Noise is the part of each value that
//! does not compress. Prints what a read costs, and what became of units.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ztera_kit::Random;
use ztera_kit::sigbus::Served;
use ztera_range::{BUFFER_LEN, FaultMode, Options, Range, SsdConfig, Stats};

const VALUE: usize = 1024;
const MIB: u64 = 1 << 20;
const TICK: usize = 32;

const WORDS: &str = "heap page young old card region label group object array string node value map table thread fault unit \
                     slot pool chunk segment record codec ratio copy move mark sweep root";

/// Words, some followed by a digit: what programs keep in caches compresses about so well.
fn text(random: &mut Random, words: &[&str], bytes: &mut [u8]) {
    let mut at = 0;
    while at < bytes.len() {
        let word = words[random.below(words.len())].as_bytes();
        let len = word.len().min(bytes.len() - at);
        bytes[at..at + len].copy_from_slice(&word[..len]);
        at += len;
        if let Some(byte) = bytes.get_mut(at) {
            *byte = if random.below(4) == 0 { b'0' + random.below(10) as u8 } else { b' ' };
            at += 1;
        }
    }
}

/// The order in which values are read.
#[derive(Clone, Copy)]
enum Choice {
    Uniform,
    /// Gray and others, "Quickly generating billion-record synthetic databases", SIGMOD 1994.
    Zipf {
        zeta: f64,
        eta: f64,
    },
}

const THETA: f64 = 0.99;

impl Choice {
    fn zipf(count: usize) -> Self {
        let zeta = (1..=count).map(|i| (i as f64).powf(-THETA)).sum::<f64>();
        let two = 1.0 + 0.5_f64.powf(THETA);
        Self::Zipf { zeta, eta: (1.0 - (2.0 / count as f64).powf(1.0 - THETA)) / (1.0 - two / zeta) }
    }

    fn next(self, random: &mut Random, count: usize) -> usize {
        let Self::Zipf { zeta, eta } = self else { return random.below(count) };
        let u = random.fraction();
        let rank = if u * zeta < 1.0 {
            0
        } else {
            (count as f64 * (eta * u - eta + 1.0).powf(1.0 / (1.0 - THETA))) as usize
        };
        // Popular values lie anywhere.
        (Random(rank as u64).next() % count as u64) as usize
    }
}

fn load(range: &Range, len: usize, noise: usize) {
    let words: Vec<&str> = WORDS.split(' ').collect();
    for i in 0..len / BUFFER_LEN {
        let buffer = range.acquire().expect("a staging buffer");
        // SAFETY: the buffer is ours until it is submitted, and has this length.
        let bytes = unsafe { std::slice::from_raw_parts_mut(buffer.as_ptr(), BUFFER_LEN) };
        let mut random = Random((i as u64) << 32);
        text(&mut random, &words, bytes);
        bytes.chunks_mut(VALUE).for_each(|value| random.fill(&mut value[..VALUE * noise / 100]));
        range.submit(buffer.as_ptr(), (i * BUFFER_LEN) as u64, BUFFER_LEN).expect("whole units");
        if i.is_multiple_of(TICK) {
            range.tick();
        }
    }
    range.drain();
}

fn cpu_seconds() -> f64 {
    // SAFETY: an all-zero rusage is a valid one, and is filled in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Reads for so long, and returns how many nanoseconds each read took.
fn read(range: &Range, len: usize, choice: Choice, seed: u64, writes: usize, stop: &AtomicBool) -> Vec<u32> {
    let (base, count) = (range.base().expose_provenance(), len / VALUE);
    let mut random = Random(seed);
    let mut times = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let at = std::ptr::with_exposed_provenance_mut::<u8>(
            base + choice.next(&mut random, count) * VALUE + VALUE / 2,
        );
        let start = Instant::now();
        // SAFETY: inside the range, which stays open; bytes may change at any time.
        unsafe {
            let byte = at.read_volatile();
            if random.below(100) < writes {
                at.write_volatile(byte.wrapping_add(1));
            }
        }
        times.push(start.elapsed().as_nanos().min(u32::MAX.into()) as u32);
    }
    times
}

fn report(range: &Range, before: &Stats, times: &mut [u32], seconds: f64, cpu: f64) {
    times.sort_unstable();
    let count = times.len();
    let at = |part: f64| f64::from(times[(count as f64 * part) as usize]) / 1e3;
    let after = range.stats();
    println!(
        "{:.0} reads/s, {:.2} us of CPU each; p50 {:.1} p99 {:.1} p99.9 {:.1} us",
        count as f64 / seconds,
        cpu * 1e6 / count as f64,
        at(0.5),
        at(0.99),
        at(0.999)
    );
    let per_mille = |now: u64, then: u64| (now - then) as f64 * 1e3 / count as f64;
    println!(
        "  of 1000 reads: {:.0} faults, {:.0} write faults, {:.0} dropped clean, {:.0} stored, {:.0} recompressed, {:.1} split, {:.1} from SSD",
        per_mille(after.fault_count, before.fault_count),
        per_mille(after.wp_fault_count, before.wp_fault_count),
        per_mille(after.evicted_clean, before.evicted_clean),
        per_mille(after.evicted_dirty, before.evicted_dirty),
        per_mille(after.recompressed_units, before.recompressed_units),
        per_mille(after.split_units, before.split_units),
        per_mille(after.bd_reads, before.bd_reads),
    );
    print_state(&after);
}

fn print_state(stats: &Stats) {
    println!(
        "  resident {} of {} MiB; pool {} MiB of {} holds {}; ssd {}",
        stats.resident_bytes / MIB,
        stats.resident_limit / MIB,
        stats.mem_used_total / MIB,
        stats.mem_limit / MIB,
        (stats.orig_data_size - stats.bd_data_size) / MIB,
        stats.bd_data_size / MIB,
    );
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |i: usize| args.get(i).and_then(|text: &String| text.parse::<u64>().ok());
    let want = |i: usize| number(i).unwrap_or_else(|| panic!("argument {i} is to be a number"));
    let (len, budget) = ((want(1) * MIB) as usize, want(2) * MIB);
    let least = budget / 32;
    let options = Options {
        unit_size: want(3) as usize * 1024,
        fault_mode: FaultMode::Sigbus,
        resident_min: least,
        pool_max: budget - least,
        dram_max: budget,
        idle_epochs: 4,
        recompress: Some("zstd".parse().expect("a codec")),
        ssd: args.get(9).map(|directory| SsdConfig::new(std::path::Path::new(directory))),
        ..Options::default()
    };
    let range = Range::open(len, &options).unwrap_or_else(|error| panic!("opening a range: {error}"));
    let range = Served::new(range, Range::serve_fault);
    let start = Instant::now();
    load(&range, len, number(8).unwrap_or(0) as usize);
    println!("loaded in {:.1} s, {:.1} s of CPU", start.elapsed().as_secs_f64(), cpu_seconds());
    print_state(&range.stats());
    let choice = if args[4] == "zipf" { Choice::zipf(len / VALUE) } else { Choice::Uniform };
    for round in 0..3 {
        let (before, cpu, start) = (range.stats(), cpu_seconds(), Instant::now());
        let stop = AtomicBool::new(false);
        let mut times = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..want(6))
                .map(|thread| {
                    let (range, stop, seed) = (&range, &stop, round * 100 + thread);
                    let writes = number(7).unwrap_or(0) as usize;
                    scope.spawn(move || read(range, len, choice, seed << 32, writes, stop))
                })
                .collect();
            std::thread::sleep(Duration::from_secs(want(5)));
            stop.store(true, Ordering::Relaxed);
            threads.into_iter().flat_map(|thread| thread.join().expect("it reads")).collect::<Vec<_>>()
        });
        let seconds = start.elapsed().as_secs_f64();
        report(&range, &before, &mut times, seconds, cpu_seconds() - cpu);
        range.tick();
    }
}
