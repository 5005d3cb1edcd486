//! The range against a plain array: threads read and write single words, by instructions and by system
//! calls, and submit and discard runs of units, all at random, under tight limits.
//!
//! Every thread owns the words whose index it is congruent to, so that several of them fault on the
//! same unit at the same time; a lock per unit keeps submit and discard, which change whole units,
//! apart from the others. Each run prints its seed: `ZTERA_SEED=n` replays it, `ZTERA_MODEL_OPS=n` sets
//! the operations per thread.

mod common;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use common::{Random, Served, Words, serve};
use parking_lot::RwLock;
use rustix::pipe::pipe;
use ztera_codec::{CodecKind, Settings};
use ztera_range::{FaultMode, Options, Patch, SsdConfig};

const THREADS: usize = 4;

struct Model {
    range: Served,
    /// Whether system calls may use the range.
    handlers: AtomicBool,
    words: Words,
    unit_len: usize,
    shadow: Vec<AtomicU64>,
    units: Vec<RwLock<()>>,
    patched: AtomicU64,
}

fn from_env(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{name} must be a number")))
}

fn seed() -> u64 {
    from_env("ZTERA_SEED").unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(1, |now| now.as_nanos() as u64)
    })
}

impl Model {
    fn words_per_unit(&self) -> usize {
        self.unit_len / 8
    }

    fn check(&self, index: usize, seen: u64) {
        let expected = self.shadow[index].load(Ordering::Relaxed);
        let (unit, word) = (index / self.words_per_unit(), index % self.words_per_unit());
        assert!(seen == expected, "unit {unit} word {word}: {seen:#x} instead of {expected:#x}");
    }

    fn read(&self, index: usize) {
        self.check(index, self.words.get(index));
    }

    fn write(&self, index: usize, value: u64) {
        self.words.set(index, value);
        self.shadow[index].store(value, Ordering::Relaxed);
    }

    /// Corrects a word of the thread's where it is not in memory, and writes it where it is. A patch of other bytes than the word's
    /// does nothing, or is refused.
    fn patch(&self, index: usize, value: u64, is_right: bool) {
        let (unit, word) = (index / self.words_per_unit(), index % self.words_per_unit());
        let old = self.shadow[index].load(Ordering::Relaxed);
        let half = |of: u64, i: usize| -> [u8; 4] {
            of.to_ne_bytes()[i * Patch::LEN..][..Patch::LEN].try_into().expect("four bytes")
        };
        let from = if is_right { old } else { !old };
        let patch =
            |i| Patch { offset: (word * 8 + i * Patch::LEN) as u32, from: half(from, i), to: half(value, i) };
        let patched = self.range.patch((unit * self.unit_len) as u64, &[patch(1), patch(0)]);
        match (patched.expect("a unit and eight of its bytes"), is_right) {
            (true, true) => {
                self.patched.fetch_add(1, Ordering::Relaxed);
                self.shadow[index].store(value, Ordering::Relaxed);
            }
            (false, true) => self.write(index, value),
            (_, false) => {}
        }
    }

    /// The kernel reads one word of the range and writes it to another one.
    fn copy_by_system_calls(&self, from: usize, to: usize) {
        let (reader, writer) = pipe().expect("a pipe");
        // SAFETY: `from` is a word of the range that this thread owns.
        let source = unsafe { std::slice::from_raw_parts(self.words.pointer(from).cast::<u8>(), 8) };
        assert_eq!(rustix::io::write(&writer, source), Ok(8), "the kernel cannot read the range");
        // SAFETY: as above; the words are different ones.
        let target = unsafe { std::slice::from_raw_parts_mut(self.words.pointer(to).cast::<u8>(), 8) };
        assert_eq!(rustix::io::read(&reader, target), Ok(8), "the kernel cannot write the range");
        self.shadow[to].store(self.shadow[from].load(Ordering::Relaxed), Ordering::Relaxed);
        self.read(to);
    }

    fn submit(&self, first: usize, count: usize, random: &mut Random) {
        let (salt, style) = (random.next(), random.below(4));
        let word = move |unit: usize, i: usize| match (style + unit) % 4 {
            0 => common::noise(unit, i) ^ salt,
            1 => (salt & 0xffff_ffff) * 0x1_0000_0001,
            _ => salt ^ common::noise(unit, i / 16) & 0xffff,
        };
        common::submit(&self.range, self.unit_len, first, count, word);
        for index in 0..count * self.words_per_unit() {
            let (unit, i) = (first + index / self.words_per_unit(), index % self.words_per_unit());
            self.shadow[unit * self.words_per_unit() + i].store(word(unit, i), Ordering::Relaxed);
        }
    }

    fn discard(&self, first: usize, count: usize) {
        self.range
            .discard((first * self.unit_len) as u64, (count * self.unit_len) as u64)
            .expect("whole units");
        let words = first * self.words_per_unit()..(first + count) * self.words_per_unit();
        self.shadow[words].iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    /// Runs `change` with the units `[first, first + count)` locked.
    fn exclusively(&self, random: &mut Random, change: impl FnOnce(usize, usize, &mut Random)) {
        let first = random.below(self.units.len());
        let count = 1 + random.below(20.min(self.units.len() - first));
        let locks: Vec<_> = self.units[first..first + count].iter().map(|unit| unit.write()).collect();
        change(first, count, random);
        drop(locks);
    }

    /// A word of `unit` that `thread` owns.
    fn own_word(&self, unit: usize, thread: usize, random: &mut Random) -> usize {
        unit * self.words_per_unit() + random.below(self.words_per_unit() / THREADS) * THREADS + thread
    }

    /// While nobody touches the range.
    fn use_handlers(&self) {
        let locks: Vec<_> = self.units.iter().map(|unit| unit.write()).collect();
        self.range.use_handlers().expect("threads and a descriptor");
        self.handlers.store(true, Ordering::Relaxed);
        drop(locks);
    }

    fn step(&self, thread: usize, random: &mut Random) {
        match random.below(100) {
            0..2 => self.exclusively(random, |first, count, random| self.submit(first, count, random)),
            2..4 => self.exclusively(random, |first, count, _| self.discard(first, count)),
            // Work that has time, where the options say that there is such a thing.
            4 => self.range.tick(),
            5..15 => {
                let unit = random.below(self.units.len());
                let _lock = self.units[unit].read();
                let index = self.own_word(unit, thread, random);
                self.patch(index, random.next(), random.below(8) > 0);
            }
            15..19 => {
                let (a, b) = (random.below(self.units.len()), random.below(self.units.len()));
                let (low, high) = (a.min(b), a.max(b));
                let _low = self.units[low].read();
                let _high = (low != high).then(|| self.units[high].read());
                let (from, to) = (self.own_word(a, thread, random), self.own_word(b, thread, random));
                if from != to && self.handlers.load(Ordering::Relaxed) {
                    self.copy_by_system_calls(from, to);
                }
            }
            kind => {
                let first = random.below(self.units.len());
                for _ in 0..1 + random.below(6) {
                    // Units that lie together are used together.
                    let unit = (first ^ random.below(4)).min(self.units.len() - 1);
                    let _lock = self.units[unit].read();
                    let index = self.own_word(unit, thread, random);
                    self.read(index);
                    if kind % 3 == 0 {
                        self.write(index, random.next() & 0xff00_ffff);
                        self.read(index);
                    }
                }
            }
        }
    }
}

fn run(units: usize, options: Options) {
    let seed = seed();
    let ops = from_env("ZTERA_MODEL_OPS").unwrap_or(1500);
    println!("replay with ZTERA_SEED={seed} ZTERA_MODEL_OPS={ops}; {options:?}");
    let Some(range) = common::open(units * options.unit_size, &options) else { return };
    let words = Words::of(&range);
    let model = Model {
        words,
        unit_len: options.unit_size,
        shadow: (0..range.len() / 8).map(|_| AtomicU64::new(0)).collect(),
        units: (0..units).map(|_| RwLock::new(())).collect(),
        patched: AtomicU64::new(0),
        handlers: AtomicBool::new(options.fault_mode == FaultMode::Handler),
        range: serve(range),
    };
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (model, options) = (&model, &options);
            scope.spawn(move || {
                let mut random = Random(seed.wrapping_mul(31).wrapping_add(thread as u64));
                for op in 0..ops {
                    if thread == 0 && op == ops / 2 && options.fault_mode == FaultMode::Sigbus {
                        model.use_handlers();
                    }
                    model.step(thread, &mut random);
                }
            });
        }
    });
    (0..model.shadow.len()).for_each(|index| model.read(index));
    model.range.drain();
    (0..model.shadow.len()).for_each(|index| model.read(index));
    // A handler may be late with a fault that another one has answered: then it makes zeros resident.
    common::eventually("nothing is resident", || {
        model.discard(0, units);
        model.range.stats().resident_bytes == 0
    });
    let may_leave = (1..units * options.unit_size / 2).contains(&(options.resident_max as usize));
    assert!(!may_leave || model.patched.into_inner() > 0, "nothing was patched");
    let store = model.range.stats();
    assert_eq!((store.orig_data_size, store.compr_data_size, store.staged_bytes), (0, 0, 0), "{store:?}");
    assert_eq!(store.mem_used_total, 0, "the pool's memory is back with the system");
    assert_eq!((store.bd_count, store.bd_data_size, store.bd_errors), (0, 0, 0));
    if options.pool_max != 0 && options.ssd.is_none() {
        // A small pool has chunks of 4 units. Of 16 and more it keeps one back.
        let chunk = 4 * options.unit_size as u64;
        let chunks = options.pool_max / chunk;
        assert_eq!(model.range.room(), Some((chunks - u64::from(chunks >= 16)) * chunk));
    }
}

fn options(unit_size: usize, resident_units: usize, kind: CodecKind) -> Options {
    Options {
        unit_size,
        resident_max: (resident_units * unit_size) as u64,
        staging_limit: 2 << 20,
        codec: Settings { kind, level: 0 },
        workers: 2,
        fault_threads: 3,
        ..Options::default()
    }
}

#[test]
fn tight_memory_16k_lz4() {
    run(256, options(16384, 20, CodecKind::Lz4));
}

#[test]
fn tight_memory_4k_zstd() {
    run(512, options(4096, 40, CodecKind::Zstd));
}

/// Memory has room for some clusters of small units.
#[test]
fn clusters_of_4k_units() {
    run(1024, options(4096, 100, CodecKind::Lz4));
}

#[test]
fn a_handful_of_64k_units() {
    run(64, options(65536, 3, CodecKind::Lz4));
}

#[test]
fn one_resident_unit() {
    run(32, options(4096, 1, CodecKind::Lz4));
}

#[test]
fn unlimited_memory() {
    run(256, options(16384, 0, CodecKind::Lz4));
}

#[test]
fn full_pool() {
    run(256, Options { pool_max: 32 * 16384, ..options(16384, 20, CodecKind::Lz4) });
}

/// Resident units have what the pool leaves, which changes all the time.
#[test]
fn shared_budget() {
    let unit = 16384;
    let shared = Options {
        resident_min: 16 * unit,
        pool_max: 200 * unit,
        dram_max: 216 * unit,
        ..options(16384, 0, CodecKind::Lz4)
    };
    run(256, shared);
}

/// Most of it is on SSD, in a file so small that it has to be cleaned all the time.
#[test]
fn tight_ssd() {
    let directory = tempfile::tempdir().expect("a directory for the file");
    let ssd = SsdConfig { limit: Some(8 << 20), ..SsdConfig::new(directory.path()) };
    run(256, Options { pool_max: 32 * 16384, ssd: Some(ssd), ..options(16384, 20, CodecKind::Lz4) });
}

/// The same, encrypted, and with units that are idle at once.
#[test]
fn tight_ssd_encrypted_and_recompressed() {
    let directory = tempfile::tempdir().expect("a directory for the file");
    let ssd = SsdConfig { limit: Some(8 << 20), encrypt: true, ..SsdConfig::new(directory.path()) };
    let denser = Settings { kind: CodecKind::Zstd, level: 1 };
    let idle = Options { idle_epochs: 1, recompress: Some(denser), ..options(16384, 20, CodecKind::Lz4) };
    run(256, Options { pool_max: 64 * 16384, ssd: Some(ssd), ..idle });
}

#[test]
fn one_fault_thread_and_one_worker() {
    run(128, Options { fault_threads: 1, workers: 1, ..options(16384, 10, CodecKind::Lz4) });
}

/// Threads that fault serve themselves, and later handlers do.
fn sigbus(options: Options) -> Options {
    Options { fault_mode: FaultMode::Sigbus, ..options }
}

#[test]
fn callers_serve_themselves_in_tight_memory() {
    run(256, sigbus(options(16384, 20, CodecKind::Lz4)));
}

#[test]
fn callers_serve_themselves_with_one_resident_unit() {
    run(32, sigbus(options(4096, 1, CodecKind::Zstd)));
}

#[test]
fn callers_bring_in_clusters_of_4k_units() {
    run(1024, sigbus(options(4096, 100, CodecKind::Lz4)));
}

#[test]
fn callers_bring_in_clusters_over_ssd() {
    let directory = tempfile::tempdir().expect("a directory for the file");
    let ssd = SsdConfig { limit: Some(8 << 20), ..SsdConfig::new(directory.path()) };
    let limits = Options { pool_max: 128 * 4096, ssd: Some(ssd), ..options(4096, 100, CodecKind::Lz4) };
    run(1024, sigbus(limits));
}

#[test]
fn callers_serve_themselves_over_ssd() {
    let directory = tempfile::tempdir().expect("a directory for the file");
    let ssd = SsdConfig { limit: Some(8 << 20), ..SsdConfig::new(directory.path()) };
    let limits = Options { pool_max: 64 * 8192, ssd: Some(ssd), ..options(8192, 20, CodecKind::Zstd) };
    run(512, sigbus(limits));
}
