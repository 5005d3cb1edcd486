//! Intel QuickAssist, by its library QATzip, which is loaded when it is asked for: `libqatzip.so.3`.
//!
//! Each thread has a session of its own, and so an instance of the device; the library polls for it. Sessions are the
//! library's default ones: their output is gzip, of which the deflate body and the checksum are taken.

use std::collections::VecDeque;
use std::ffi::{c_int, c_uint};
use std::io;
use std::sync::Arc;

use libloading::Library;
use ztera_sync::thread::{JoinHandle, spawn};

use crate::answer::{Answer, Facts, Fault, Sums};
use crate::device::Device;
use crate::job::Job;
use crate::queue::Queue;

/// Sessions, and jobs in the queue before them.
const SESSIONS: u32 = 8;
const QUEUE: u32 = 64;

/// Where the library is.
const LIBRARY: &str = "libqatzip.so.3";

/// Of qatzip.h.
const QZ_OK: c_int = 0;
const QZ_DUPLICATE: c_int = 1;
const QZ_BUF_ERROR: c_int = -3;

type Init = unsafe extern "C" fn(*mut Session, u8) -> c_int;
type Compress =
    unsafe extern "C" fn(*mut Session, *const u8, *mut c_uint, *mut u8, *mut c_uint, c_uint) -> c_int;
type End = unsafe extern "C" fn(*mut Session) -> c_int;

/// `QzSession_T`, which is all zeros before its first use, and room for what later versions add.
#[repr(C, align(16))]
struct Session([u8; 256]);

/// The library's functions, which live as long as it is loaded.
struct Functions {
    init: Init,
    compress: Compress,
    tear_down: End,
    close: End,
    _library: Library,
}

impl Functions {
    fn load(library: &str) -> io::Result<Self> {
        let missing = |error: libloading::Error| {
            let why = format!("the accelerator qatzip needs {library} (Debian: libqatzip3): {error}");
            io::Error::new(io::ErrorKind::NotFound, why)
        };
        // SAFETY: the library's initialisers are those of a system library that the user asked for.
        let loaded = unsafe { Library::new(library) }.map_err(missing)?;
        // SAFETY: the names' types are those of qatzip.h.
        unsafe {
            Ok(Self {
                init: *loaded.get::<Init>(c"qzInit").map_err(missing)?,
                compress: *loaded.get::<Compress>(c"qzCompress").map_err(missing)?,
                tear_down: *loaded.get::<End>(c"qzTeardownSession").map_err(missing)?,
                close: *loaded.get::<End>(c"qzClose").map_err(missing)?,
                _library: loaded,
            })
        }
    }

    /// A session with hardware: in software the library is no quicker than our own codec.
    fn open(&self) -> Result<Box<Session>, c_int> {
        let mut session = Box::new(Session([0; 256]));
        // SAFETY: the session is zeroed, as the library wants it, and is not moved while it is open.
        match unsafe { (self.init)(&raw mut *session, 0) } {
            QZ_OK | QZ_DUPLICATE => Ok(session),
            error => Err(error),
        }
    }

    fn end(&self, mut session: Box<Session>) {
        // SAFETY: it was opened, and nobody uses it any more.
        unsafe {
            (self.tear_down)(&raw mut *session);
            (self.close)(&raw mut *session);
        }
    }

    /// Compresses to gzip; how long that is.
    fn compress(&self, session: &mut Session, unit: &[u8], room: &mut [u8]) -> Result<usize, Fault> {
        let (mut taken, mut made) = (unit.len() as c_uint, room.len() as c_uint);
        // SAFETY: both lengths are those of the memory that is given.
        let result = unsafe {
            (self.compress)(session, unit.as_ptr(), &raw mut taken, room.as_mut_ptr(), &raw mut made, 1)
        };
        match result {
            QZ_OK if taken as usize == unit.len() && made as usize <= room.len() => Ok(made as usize),
            QZ_OK | QZ_BUF_ERROR => Err(Fault::TooLong),
            _ => Err(Fault::Error),
        }
    }
}

/// The device. Dropping it waits for jobs under way.
pub(crate) struct QatZip {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    functions: Functions,
    queue: Queue,
}

impl QatZip {
    /// The device, or what is missing.
    pub fn open() -> io::Result<Self> {
        Self::open_with(LIBRARY)
    }

    fn open_with(library: &str) -> io::Result<Self> {
        let functions = Functions::load(library)?;
        let first = functions.open().map_err(|error| {
            let why = format!("QATzip finds no QuickAssist device that this user may use (qzInit: {error})");
            io::Error::new(io::ErrorKind::NotFound, why)
        })?;
        functions.end(first);
        let shared = Arc::new(Shared { functions, queue: Queue::new(QUEUE as usize) });
        let mut device = Self { shared, threads: Vec::new() };
        for i in 0..SESSIONS {
            let own = device.shared.clone();
            device.threads.push(spawn(&format!("zt-qat-{i}"), move || own.work())?);
        }
        Ok(device)
    }
}

impl Device for QatZip {
    fn facts(&self) -> Facts {
        Facts { instances: SESSIONS, most: SESSIONS + QUEUE }
    }

    fn submit(&self, batch: &mut VecDeque<Job>) -> Result<(), Fault> {
        self.shared.queue.put(batch);
        Ok(())
    }

    /// A job that the library is at goes on, but its session is its last.
    fn reset(&self) -> io::Result<()> {
        self.shared.queue.reset();
        Ok(())
    }
}

impl Drop for QatZip {
    fn drop(&mut self) {
        self.shared.queue.stop();
        for thread in self.threads.drain(..) {
            // A thread that panics ends the process, so there is no error to be found here.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn work(&self) {
        let mut open: Option<(u64, Box<Session>)> = None;
        while let Some((jobs, resets)) = self.queue.take(1) {
            if let Some((_, old)) = open.take_if(|(made_at, _)| *made_at != resets) {
                self.functions.end(old);
            }
            if open.is_none() {
                open = self.functions.open().ok().map(|session| (resets, session));
            }
            match &mut open {
                None => jobs.into_iter().for_each(|job| job.finish(Err(Fault::Error))),
                Some((_, session)) => jobs.into_iter().for_each(|job| self.serve(job, session)),
            }
        }
        open.into_iter().for_each(|(_, session)| self.functions.end(session));
    }

    fn serve(&self, mut job: Job, session: &mut Session) {
        let (unit, output) = job.buffers_mut();
        let len = self.functions.compress(session, unit, output);
        let answer = len.and_then(|len| take_out(output, len).ok_or(Fault::Error));
        job.finish(answer);
    }
}

/// Bytes of gzip's header without extra fields, and of its trailer.
const HEADER: usize = 10;
const TRAILER: usize = 8;
/// The flag for an extra field: QATzip sets no other.
const EXTRA: u8 = 4;

/// Moves the deflate body of the gzip object at the front of `output` to its very front. `None` if it is none.
fn take_out(output: &mut [u8], len: usize) -> Option<Answer> {
    let object = output.get(..len)?;
    let start = match object.get(..HEADER)? {
        [0x1f, 0x8b, 8, 0, ..] => HEADER,
        [0x1f, 0x8b, 8, EXTRA, ..] => {
            let extra = object.get(HEADER..HEADER + 2)?;
            HEADER + 2 + usize::from(u16::from_le_bytes([extra[0], extra[1]]))
        }
        _ => return None,
    };
    let end = len.checked_sub(TRAILER).filter(|&end| start < end)?;
    let input = u32::from_le_bytes(output[end..end + 4].try_into().ok()?);
    output.copy_within(start..end, 0);
    let len = end - start;
    Some(Answer { len, sums: Some(Sums { input, output: crc32fast::hash(&output[..len]) }) })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::offload::{Accelerator, Made, Options, Verify};
    use ztera_codec::{Packer, Settings};

    #[test]
    fn a_missing_library_is_named() {
        let error = QatZip::open_with("libqatzip-that-is-not-there.so.3").err().expect("it is not there");
        assert!(error.to_string().contains("libqatzip-that-is-not-there.so.3"), "{error}");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    /// A library with the same functions: the real one needs its device.
    fn fake(dir: &Path, options: &[&str]) -> String {
        crate::fake::library(dir, "fake_qatzip", options)
    }

    #[test]
    fn its_output_is_what_the_cpu_decodes() {
        let dir = tempfile::tempdir().expect("a folder");
        let device = QatZip::open_with(&fake(dir.path(), &[])).expect("the fake has a device");
        let deadline = std::time::Duration::from_secs(60);
        let options = Options { verify: Verify::Sums, deadline, ..Options::default() };
        let accelerator = Accelerator::start(Box::new(device), options).expect("a thread");
        let mut packer = Packer::new(Settings::default(), 16384);
        // The fake finds runs of whole units only, which is enough to make them shorter.
        let units: Vec<Vec<u8>> = (0..64).map(|i| vec![i; 16384]).collect();
        let tickets = accelerator.offer(units.iter().map(Vec::as_slice));
        for (unit, ticket) in units.iter().zip(tickets) {
            let ticket = ticket.expect("the rings have room");
            let made = accelerator.wait(&ticket, |_| panic!("there are checksums")).expect("an output");
            let Made::Frame(frame) = made else { panic!("it is short") };
            let mut back = vec![1; unit.len()];
            packer.unpack(&frame, &mut back).expect("deflate");
            assert!(back == *unit);
        }
        assert_eq!(accelerator.stats().offloaded_units, 64);
    }

    #[test]
    fn without_a_device_it_says_so() {
        let dir = tempfile::tempdir().expect("a folder");
        let error = QatZip::open_with(&fake(dir.path(), &["-DNO_HARDWARE"])).err().expect("there is none");
        assert!(error.to_string().contains("qzInit: -101"), "{error}");
    }

    #[test]
    fn other_objects_are_refused() {
        for bad in
            [&b""[..], &[0; 40], &[0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0]]
        {
            assert_eq!(take_out(&mut bad.to_vec(), bad.len()), None);
        }
    }
}
