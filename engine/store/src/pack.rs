//! Compression of one unit by the CPU, and the CPU time that it takes.

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::time::Duration;

use ztera_codec::{Packed, Packer};

use crate::form::{Density, Use};
use crate::scratch::Scratch;
use crate::store::Store;

impl Store {
    /// Compresses `bytes`, as a whole.
    pub(crate) fn pack<'a>(&self, bytes: &[u8], density: Density, scratch: &'a mut Scratch) -> Packed<'a> {
        self.pack_with(scratch.packer(density), bytes, Use::Whole)
    }

    /// Compresses `bytes` of a unit of that use.
    pub(crate) fn pack_with<'a>(&self, packer: &'a mut Packer, bytes: &[u8], used: Use) -> Packed<'a> {
        let is_split =
            used == Use::ByPage && self.split_codec().is_some_and(|codec| codec.kind == packer.kind());
        let start = is_timed().then(cpu_time);
        let _busy = self.on_cpu(packer.kind());
        let packed = match ztera_fail::at("codec.pack") {
            None if is_split => packer.pack_split(bytes),
            None => packer.pack(bytes),
            Some(_) => Packed::Huge,
        };
        if let Some(start) = start {
            self.counters.compress_ns.add((cpu_time() - start).as_nanos() as u64 * TIMED);
        }
        packed
    }

    /// Whether a frame decodes to the unit.
    pub fn decodes(&self, frame: &[u8], unit: &[u8], scratch: &mut Scratch) -> bool {
        let Scratch { packer, unit: room, .. } = scratch;
        packer.unpack(frame, room).is_ok() && **room == *unit
    }
}

/// One of so many units that a thread encodes is timed, and counts for all: to ask for a thread's CPU time is a system call.
const TIMED: u64 = 8;

/// Whether this is the next unit of the calling thread to be timed. Threads begin to count at different numbers: else the
/// first unit of each would be timed, and that of a thread that encodes no other would count for eight.
fn is_timed() -> bool {
    thread_local!(static ENCODED: Cell<u64> = Cell::new(ztera_sync::ticket() as u64));
    ENCODED.replace(ENCODED.get().wrapping_add(1)).is_multiple_of(TIMED)
}

/// Of the calling thread. Workers give way to the program, so on busy CPUs an encoder takes many times as long as it works,
/// and policy would take its objects for dear.
fn cpu_time() -> Duration {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // By the C library: rustix asks the vDSO, of which Valgrind shows nothing but the address.
    // SAFETY: writes to `time` alone.
    if unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr()) } != 0 {
        return Duration::ZERO;
    }
    // SAFETY: the call wrote it.
    let time = unsafe { time.assume_init() };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// How many of so many units, encoded by a thread of their own, are timed.
    fn timed_of(units: u64) -> u64 {
        let thread = thread::spawn(move || (0..units).filter(|_| is_timed()).count() as u64);
        thread.join().expect("it does not panic")
    }

    #[test]
    fn one_unit_in_eight_is_timed() {
        assert_eq!(timed_of(100 * TIMED), 100);
    }

    /// The only unit of each was timed, and counted eightfold.
    #[test]
    fn short_lived_threads_count_for_what_they_encode() {
        let threads = 50 * TIMED;
        let timed: u64 = (0..threads).map(|_| timed_of(1)).sum();
        // Other tests take tickets, too.
        assert!((1..threads / 3).contains(&timed), "{timed} of {threads}");
    }
}
