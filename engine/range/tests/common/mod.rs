//! Set-up that the range's tests share.

#![allow(dead_code, reason = "each test file uses its part")]

pub mod group;

use std::io::Write;
use std::os::fd::AsRawFd;

pub use ztera_kit::Random;
use ztera_kit::sigbus;
use ztera_range::{BUFFER_LEN, Error, Options, Range};

/// Bytes of a unit: the default.
pub const UNIT: usize = 16384;
/// Words of a unit.
pub const WORDS: usize = UNIT / 8;

/// Room for so many resident units; 0 = no limit.
pub fn options(resident_units: usize) -> Options {
    Options {
        resident_max: (resident_units * UNIT) as u64,
        workers: 2,
        fault_threads: 2,
        ..Options::default()
    }
}

/// Compresses well.
pub fn tame(unit: usize, i: usize) -> u64 {
    (unit * 1000 + i / 50) as u64
}

/// Opens a range. Only a kernel that lacks userfaultfd makes a test skip, visibly; where it is merely
/// forbidden the test fails, and says what to allow.
pub fn open(len: usize, options: &Options) -> Option<Range> {
    match Range::open(len, options) {
        Ok(range) => Some(range),
        Err(error @ Error::Unsupported(_)) => {
            // Past the test harness, which swallows what passing tests print.
            let _ = writeln!(std::io::stderr(), "SKIPPED, not tested: {error}");
            None
        }
        Err(error) => panic!("cannot open a range: {error}"),
    }
}

/// A range whose faults the threads that take them serve themselves.
pub type Served = sigbus::Served<Range>;

/// Has the faults of a range served from now on.
pub fn serve(range: Range) -> Served {
    Served::new(range, Range::serve_fault)
}

/// The range as 64-bit words.
#[derive(Clone, Copy)]
pub struct Words {
    base: usize,
    count: usize,
}

impl Words {
    pub fn of(range: &Range) -> Self {
        Self { base: range.base().expose_provenance(), count: range.len() / 8 }
    }

    pub fn pointer(self, index: usize) -> *mut u64 {
        assert!(index < self.count);
        std::ptr::with_exposed_provenance_mut(self.base + index * 8)
    }

    /// Whether a system call can read the word at `index`. An instruction would get SIGBUS where not.
    pub fn readable(self, index: usize) -> bool {
        let (_reader, writer) = rustix::pipe::pipe().expect("a pipe");
        // SAFETY: the kernel checks the address; nothing is read by this program.
        unsafe { libc::write(writer.as_raw_fd(), self.pointer(index).cast(), 8) == 8 }
    }

    /// Whether a system call can write a 0 to the word at `index`.
    pub fn writable(self, index: usize) -> bool {
        let (reader, writer) = rustix::pipe::pipe().expect("a pipe");
        rustix::io::write(&writer, &[0; 8]).expect("a pipe has room");
        // SAFETY: the kernel checks the address; the word is the test's.
        unsafe { libc::read(reader.as_raw_fd(), self.pointer(index).cast(), 8) == 8 }
    }

    pub fn get(self, index: usize) -> u64 {
        // SAFETY: inside the range, which outlives the test's use of it; threads that share a word
        // synchronise.
        unsafe { self.pointer(index).read_volatile() }
    }

    pub fn set(self, index: usize, value: u64) {
        // SAFETY: as above.
        unsafe { self.pointer(index).write_volatile(value) };
    }
}

/// Submits `units` units from `first` on, with word `i` of each unit from `word(unit, i)`.
pub fn submit(
    range: &Range,
    unit_len: usize,
    first: usize,
    units: usize,
    word: impl Fn(usize, usize) -> u64,
) {
    let per_buffer = BUFFER_LEN / unit_len;
    for start in (first..first + units).step_by(per_buffer) {
        let count = per_buffer.min(first + units - start);
        let buffer = range.acquire().expect("a staging buffer");
        let words = count * unit_len / 8;
        // SAFETY: the buffer is ours until it is submitted, page-aligned and long enough.
        let target = unsafe { std::slice::from_raw_parts_mut(buffer.cast::<u64>().as_ptr(), words) };
        for (i, target) in target.iter_mut().enumerate() {
            *target = word(start + i / (unit_len / 8), i % (unit_len / 8));
        }
        range.submit(buffer.as_ptr(), (start * unit_len) as u64, count * unit_len).expect("whole units");
    }
}

/// Noise, different in every word.
pub fn noise(unit: usize, i: usize) -> u64 {
    Random((unit as u64) << 32 | i as u64).next()
}

/// Calls `done` until it is true, for some seconds at most.
pub fn eventually(what: &str, mut done: impl FnMut() -> bool) {
    for _ in 0..3000 {
        if done() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("still not true: {what}");
}

/// Thread ids and names of the engine's threads in this process.
pub fn engine_threads() -> Vec<(String, String)> {
    let tasks = std::fs::read_dir("/proc/self/task").expect("proc is mounted");
    let tids = tasks.filter_map(|task| task.ok()?.file_name().into_string().ok());
    let named = tids.filter_map(|tid| {
        let name = std::fs::read_to_string(format!("/proc/self/task/{tid}/comm")).ok()?;
        Some((tid, name.trim().to_owned()))
    });
    named.filter(|(_, name)| name.starts_with("zt-")).collect()
}
