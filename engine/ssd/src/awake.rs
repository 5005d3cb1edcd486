//! Reads that a thread waits for awake: by Linux AIO, which says in memory of the process that a read is done.
//!
//! A call that reads puts its thread to sleep until the medium's interrupt has it woken, and then the thread has to get its CPU
//! (docs/decisions/0130-threads-stay-awake-for-short-reads.md has figures). io_uring would do as well, but the default seccomp
//! profiles of Docker and containerd forbid it. Docker's allows this. One thread at a time stays awake, if [`Wakefulness`] says
//! so. Others read by a plain call.

use std::hint::spin_loop;
use std::mem;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use libc::{SYS_io_destroy, SYS_io_getevents, SYS_io_setup, SYS_io_submit, iocb, syscall};
use ztera_policy::wakefulness::Wakefulness;
use ztera_sync::{Mutex, thread};

/// Looks at the ring between two at the clock.
const LOOKS: u32 = 32;

/// The thread that has the turn may stay awake. Nobody waits for it.
#[derive(Debug, Default)]
pub(crate) struct Awake(Mutex<Turn>);

#[derive(Debug, Default)]
struct Turn {
    rule: Wakefulness,
    /// Made when it is needed first. `Some(None)`: the kernel gives none.
    ring: Option<Option<Ring>>,
}

impl Awake {
    /// Fills `bytes` with what `file` has at `offset`, and returns how many they are. `None`: a plain call should try, and tells what
    /// is wrong.
    pub fn read(&self, file: BorrowedFd<'_>, bytes: &mut [u8], offset: u64) -> Option<usize> {
        let mut turn = self.0.try_lock()?;
        let Turn { rule, ring } = &mut *turn;
        let ring = ring.get_or_insert_with(Ring::new).as_mut().filter(|_| rule.begins())?;
        // SAFETY: the thread does not leave before the ring has given it the event of the read.
        let number = unsafe { ring.begin(file, bytes, offset)? };
        if let Some(event) = ring.next(number) {
            // The page cache had it.
            return event.bytes();
        }
        let start = Instant::now();
        thread::yield_now();
        let mut stays = rule.stays(start.elapsed());
        while stays {
            for _ in 0..LOOKS {
                if let Some(event) = ring.next(number) {
                    return event.bytes();
                }
                spin_loop();
            }
            stays = rule.goes_on(start.elapsed());
        }
        ring.sleep(number).bytes()
    }
}

/// The outcome of a request, as of linux/aio_abi.h.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Event {
    /// Of the read.
    number: u64,
    request: u64,
    /// Bytes; negative: an error.
    result: i64,
    more: i64,
}

impl Event {
    fn bytes(self) -> Option<usize> {
        usize::try_from(self.result).ok()
    }
}

/// The begin of the kernel's ring, which the process may read, as of fs/aio.c of Linux. Its events follow.
#[repr(C)]
struct Header {
    id: u32,
    /// Events that it has room for.
    len: u32,
    /// The process takes events here, and the kernel adds them there.
    head: AtomicU32,
    tail: AtomicU32,
    magic: u32,
    compatible: u32,
    incompatible: u32,
    bytes: u32,
}

const MAGIC: u32 = 0xa10a_10a1;

/// The operation of `IOCB_CMD_PREAD`.
const PREAD: u16 = 0;

/// A context of AIO, for one read at a time.
#[derive(Debug)]
struct Ring {
    header: NonNull<Header>,
    /// Reads so far.
    reads: u64,
}

// SAFETY: any thread of the process may make the system calls and take the events.
unsafe impl Send for Ring {}

impl Ring {
    /// `None`: this kernel has no AIO, forbids it, has no context left, or its ring looks otherwise.
    fn new() -> Option<Self> {
        let mut context: usize = 0;
        // SAFETY: the call writes the number of the context, which is the address of its ring.
        if unsafe { syscall(SYS_io_setup, 1_usize, &raw mut context) } != 0 {
            return None;
        }
        let header = NonNull::new(std::ptr::with_exposed_provenance_mut(context))?;
        let ring = Self { header, reads: 0 };
        let header = ring.header();
        (header.magic == MAGIC && header.incompatible == 0 && header.bytes as usize == size_of::<Header>())
            .then_some(ring)
    }

    fn header(&self) -> &Header {
        // SAFETY: the kernel keeps it there until the context is destroyed, and changes the atomic parts alone.
        unsafe { self.header.as_ref() }
    }

    fn context(&self) -> usize {
        self.header.as_ptr().expose_provenance()
    }

    /// Has the kernel read, and returns the number of the read. `None`: it does not.
    ///
    /// # Safety
    ///
    /// No other read has been begun. The kernel writes to `bytes` until [`next`](Self::next) or [`sleep`](Self::sleep) has given
    /// the event.
    unsafe fn begin(&mut self, file: BorrowedFd<'_>, bytes: &mut [u8], offset: u64) -> Option<u64> {
        self.reads += 1;
        let number = self.reads;
        // SAFETY: it consists of numbers.
        let mut request: iocb = unsafe { mem::zeroed() };
        request.aio_data = number;
        request.aio_lio_opcode = PREAD;
        request.aio_fildes = file.as_raw_fd() as u32;
        request.aio_buf = bytes.as_mut_ptr().expose_provenance() as u64;
        request.aio_nbytes = bytes.len() as u64;
        request.aio_offset = offset as i64;
        let mut requests = [&raw mut request];
        // SAFETY: the call reads one request. The caller vouches for the buffer.
        let begun = unsafe { syscall(SYS_io_submit, self.context(), 1_usize, requests.as_mut_ptr()) };
        (begun == 1).then_some(number)
    }

    /// The event of the read, if that is done.
    fn next(&mut self, number: u64) -> Option<Event> {
        let Header { len, head, tail, .. } = self.header();
        loop {
            let place = head.load(Ordering::Relaxed);
            if tail.load(Ordering::Acquire) == place {
                return None;
            }
            // SAFETY: the kernel has written the event there before it moved the tail.
            let event = unsafe { *self.header.add(1).cast::<Event>().as_ptr().add(place as usize) };
            head.store((place + 1) % len, Ordering::Release);
            if event.number == number {
                return Some(event);
            }
        }
    }

    /// Sleeps until the read is done, and returns its event.
    fn sleep(&mut self, number: u64) -> Event {
        loop {
            if let Some(event) = self.next(number) {
                return event;
            }
            let mut event = Event::default();
            let for_ever = std::ptr::null_mut::<libc::timespec>();
            // SAFETY: the call writes one event.
            let got = unsafe {
                syscall(SYS_io_getevents, self.context(), 1_usize, 1_usize, &raw mut event, for_ever)
            };
            if got == 1 && event.number == number {
                return event;
            }
            // A signal, or somebody forbids the call. The kernel still writes to the buffer.
            thread::yield_now();
        }
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: nobody uses the ring any more. In a forked child it is not there, and the call fails.
        unsafe { syscall(SYS_io_destroy, self.context()) };
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};
    use std::os::fd::AsFd;

    use super::*;

    /// A file with the numbers of its words.
    fn file(words: u64) -> std::fs::File {
        let mut file = tempfile::tempfile().expect("a temporary file");
        (0..words).for_each(|i| file.write_all(&i.to_le_bytes()).expect("room"));
        file.rewind().expect("it is a file");
        file
    }

    fn word(bytes: &[u8]) -> u64 {
        u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"))
    }

    /// Calls `test` with one, or says past the test harness that it cannot: emulators have no AIO, and some seccomp profiles forbid
    /// it.
    fn with_awake(test: impl FnOnce(&Awake)) {
        match Ring::new() {
            Some(ring) => test(&Awake(Mutex::new(Turn { ring: Some(Some(ring)), ..Turn::default() }))),
            None => writeln!(std::io::stderr(), "SKIPPED, not tested: the kernel gives no AIO")
                .expect("a console"),
        }
    }

    #[test]
    fn what_is_there_is_read() {
        with_awake(|awake| {
            let (file, mut bytes, mut reads) = (file(4096), [0; 4096], 0);
            for block in (0..8).cycle().take(64) {
                let Some(read) = awake.read(file.as_fd(), &mut bytes, block * 4096) else { continue };
                let words = [word(&bytes), word(&bytes[4088..])];
                assert_eq!((read, words), (4096, [block * 512, block * 512 + 511]));
                reads += 1;
            }
            assert!(reads >= 2, "{reads} of 64: those asleep are eight at a time");
        });
    }

    #[test]
    fn the_end_of_the_file_is_told_and_errors_are_left_to_others() {
        with_awake(|awake| {
            let (file, mut bytes) = (file(100), [0; 4096]);
            assert_eq!(awake.read(file.as_fd(), &mut bytes, 0), Some(800));
        });
        with_awake(|awake| {
            let folder = std::fs::File::open("/").expect("a folder");
            assert_eq!(awake.read(folder.as_fd(), &mut [0; 4096], 0), None);
        });
    }

    #[test]
    fn one_thread_at_a_time_stays_awake() {
        with_awake(|awake| {
            let (file, mut bytes) = (file(512), [0; 4096]);
            let turn = awake.0.try_lock().expect("nobody has it");
            assert_eq!(awake.read(file.as_fd(), &mut bytes, 0), None);
            drop(turn);
            assert_eq!(awake.read(file.as_fd(), &mut bytes, 0), Some(4096));
        });
    }

    #[test]
    fn who_sleeps_is_woken_and_gets_the_event_of_its_read() {
        with_awake(|awake| {
            let mut turn = awake.0.try_lock().expect("nobody has it");
            let ring = turn.ring.as_mut().and_then(Option::as_mut).expect("it has one");
            let (file, mut bytes, mut other) = (file(512), [0; 4096], [0; 4096]);
            for _ in 0..3 {
                // SAFETY: both events are taken, one after the other.
                let numbers = unsafe {
                    [ring.begin(file.as_fd(), &mut other, 0), ring.begin(file.as_fd(), &mut bytes, 8)]
                };
                let number = numbers[1].expect("it has begun");
                assert_eq!((ring.sleep(number).bytes(), word(&bytes)), (Some(4088), 1));
                assert!(ring.next(number).is_none(), "it was taken");
            }
        });
    }
}
