//! userfaultfd: the kernel hands page faults of a memory range to this process.
//!
//! The structures are the kernel's own ([`linux_raw_sys`]); this file knows the calls, their results
//! and their traps: a copy may stop half-way, each call may have to be made [again](patiently), and a page that is
//! already there has to be told from failure.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use linux_raw_sys::general as kernel;
use rustix::io::Errno;
use rustix::ioctl::{self, Opcode, Updater, opcode};

use crate::error::{Error, Result};
use crate::os::again::patiently;
use crate::userfaultfd::{self, Faults};

const MAGIC: u8 = kernel::UFFDIO as u8;
const REGISTER: Opcode = opcode::read_write::<kernel::uffdio_register>(MAGIC, kernel::_UFFDIO_REGISTER as u8);
const UNREGISTER: Opcode = opcode::read::<kernel::uffdio_range>(MAGIC, kernel::_UFFDIO_UNREGISTER as u8);
const WAKE: Opcode = opcode::read::<kernel::uffdio_range>(MAGIC, kernel::_UFFDIO_WAKE as u8);
const COPY: Opcode = opcode::read_write::<kernel::uffdio_copy>(MAGIC, kernel::_UFFDIO_COPY as u8);
const PROTECT: Opcode =
    opcode::read_write::<kernel::uffdio_writeprotect>(MAGIC, kernel::_UFFDIO_WRITEPROTECT as u8);
const POISON: Opcode = opcode::read_write::<kernel::uffdio_poison>(MAGIC, kernel::_UFFDIO_POISON as u8);

const WP_MODE_PROTECT: u64 = 1;
const WRITE_PROTECTION: u64 = kernel::UFFD_FEATURE_PAGEFAULT_FLAG_WP as u64;

/// A userfaultfd descriptor, non-blocking and closed on exec; or two of them, as what a descriptor does cannot be
/// changed later.
#[derive(Debug)]
pub(crate) struct Uffd {
    first: OwnedFd,
    second: OnceLock<OwnedFd>,
    /// The addresses below are the second one's.
    boundary: AtomicUsize,
    can_poison: bool,
}

/// The access that a thread was stopped at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The address touched, rounded down to its page.
    pub address: usize,
    /// Whether it wants to write (to a page that is missing, or write-protected).
    pub write: bool,
}

impl Uffd {
    /// Opens a descriptor. With `sigbus` whoever faults gets that signal, and there are no faults to be read here; that may
    /// be had without any privilege. Otherwise faults taken inside system calls are served too, for which the kernel asks
    /// for one.
    pub fn open(sigbus: bool) -> Result<Self> {
        let faults = if sigbus { Faults::OfInstructions } else { Faults::All };
        // The features have to be known before they can be asked for, and a descriptor can be asked
        // only once; so a first one only tells.
        let features = handshake(&open_fd(faults)?, 0)?;
        let signal = if sigbus { u64::from(kernel::UFFD_FEATURE_SIGBUS) } else { 0 };
        let needed = WRITE_PROTECTION | signal;
        if features & needed != needed {
            return Err(Error::Unsupported("userfaultfd write protection (Linux 5.7 or later)"));
        }
        let poison = features & u64::from(kernel::UFFD_FEATURE_POISON);
        let first = open_fd(faults)?;
        handshake(&first, needed | poison)?;
        Ok(Self { first, second: OnceLock::new(), boundary: AtomicUsize::new(0), can_poison: poison != 0 })
    }

    /// Opens the second descriptor, by which handlers serve, unless it is open.
    pub fn open_second(&self) -> Result<()> {
        if self.second.get().is_some() {
            return Ok(());
        }
        let second = open_fd(Faults::All)?;
        let poison = if self.can_poison { u64::from(kernel::UFFD_FEATURE_POISON) } else { 0 };
        handshake(&second, WRITE_PROTECTION | poison)?;
        self.second.set(second).map_err(|_| Error::Invalid("handlers serve it already"))
    }

    /// Makes `[start, start + len)` the second descriptor's. Its pages are writable or not mapped, it is the next in
    /// ascending order, and nobody writes to it or uses what is read there meanwhile: for a moment it is nobody's, and
    /// missing pages read as zeros, which stay mapped.
    pub fn hand_over(&self, start: usize, len: usize) -> io::Result<()> {
        // SAFETY: the opcode takes this structure; nobody misses the faults, by the caller's promise.
        patiently(|| unsafe {
            self.call::<UNREGISTER, _>("uffd.unregister", start, &mut range(start, len))
        })?;
        self.boundary.store(start + len, Ordering::Release);
        // SAFETY: as when it was registered first.
        unsafe { self.register(start, len) }
    }

    /// Whether any of the range is the second descriptor's.
    pub fn is_handed_over(&self) -> bool {
        self.boundary.load(Ordering::Acquire) > 0
    }

    /// The descriptor that an address belongs to.
    fn of(&self, address: usize) -> BorrowedFd<'_> {
        let second = self.second.get().filter(|_| address < self.boundary.load(Ordering::Acquire));
        second.unwrap_or(&self.first).as_fd()
    }

    /// Has the faults of `[start, start + len)` sent here: of missing and of write-protected pages.
    ///
    /// # Safety
    /// The range is anonymous memory of the caller's that this process touches only while faults are
    /// being served.
    pub unsafe fn register(&self, start: usize, len: usize) -> io::Result<()> {
        let mode = kernel::UFFDIO_REGISTER_MODE_MISSING | kernel::UFFDIO_REGISTER_MODE_WP;
        let mut arg = kernel::uffdio_register { range: range(start, len), mode: mode.into(), ioctls: 0 };
        // SAFETY: the opcode takes this structure; registering changes how the range faults, which the
        // caller asked for.
        patiently(|| unsafe { self.call::<REGISTER, _>("uffd.register", start, &mut arg) })?;
        let needed =
            1 << kernel::_UFFDIO_COPY | 1 << kernel::_UFFDIO_WRITEPROTECT | 1 << kernel::_UFFDIO_WAKE;
        if arg.ioctls & needed == needed { Ok(()) } else { Err(Errno::OPNOTSUPP.into()) }
    }

    /// Maps a copy of `src`, or of the first pages of it, at `dst`, lets threads that wait for these
    /// pages go on, and returns how many bytes that were. With `protect` the next write faults again.
    ///
    /// After an error nothing has changed. `EEXIST`: the first page is mapped already.
    ///
    /// # Safety
    /// `[dst, dst + src.len())` lies in a registered range, and `src` are the contents it must have.
    pub unsafe fn copy(&self, dst: usize, src: &[u8], protect: bool) -> io::Result<usize> {
        let mode = if protect { u64::from(kernel::UFFDIO_COPY_MODE_WP) } else { 0 };
        let len = if ztera_fail::at("uffd.copy.short").is_some() { 4096 } else { src.len() };
        let copied = patiently(|| {
            let mut arg = kernel::uffdio_copy {
                dst: dst as u64,
                src: src.as_ptr().expose_provenance() as u64,
                len: len as u64,
                mode,
                copy: 0,
            };
            // SAFETY: the opcode takes this structure; the kernel reads `src`, which is borrowed, and
            // writes to `dst`, which the caller vouches for.
            match unsafe { self.call::<COPY, _>("uffd.copy", dst, &mut arg) } {
                Ok(()) => Ok(len),
                Err(error) => done_before(error, arg.copy),
            }
        });
        Ok(copied?)
    }

    /// Makes the mapped pages of a range write-protected.
    pub fn protect(&self, start: usize, len: usize) -> io::Result<()> {
        self.write_protect(start, len, WP_MODE_PROTECT)
    }

    /// Makes the mapped pages of a range writable and lets waiting threads go on.
    pub fn unprotect(&self, start: usize, len: usize) -> io::Result<()> {
        self.write_protect(start, len, 0)
    }

    fn write_protect(&self, start: usize, len: usize, mode: u64) -> io::Result<()> {
        let mut arg = kernel::uffdio_writeprotect { range: range(start, len), mode };
        // SAFETY: the opcode takes this structure; protection of registered pages is ours to change.
        Ok(patiently(|| unsafe { self.call::<PROTECT, _>("uffd.protect", start, &mut arg) })?)
    }

    /// Lets threads that wait for a page of the range try again.
    pub fn wake(&self, start: usize, len: usize) -> io::Result<()> {
        // SAFETY: the opcode takes this structure, and waking has no effect on memory.
        Ok(patiently(|| unsafe { self.call::<WAKE, _>("uffd.wake", start, &mut range(start, len)) })?)
    }

    /// Makes every access to the range, where nothing is mapped, raise SIGBUS from now on (a system call
    /// fails with `EFAULT` or `EHWPOISON`).
    pub fn poison(&self, start: usize, len: usize) -> io::Result<()> {
        if !self.can_poison {
            return Err(io::Error::other("this kernel cannot (Linux 6.6 or later can)"));
        }
        let mut done = 0;
        while done < len {
            done += patiently(|| {
                let left = range(start + done, len - done);
                let mut arg = kernel::uffdio_poison { range: left, mode: 0, updated: 0 };
                // SAFETY: the opcode takes this structure; the range is registered here and has no contents.
                match unsafe { self.call::<POISON, _>("uffd.poison", start, &mut arg) } {
                    Ok(()) => Ok(len - done),
                    Err(error) => done_before(error, arg.updated),
                }
            })?;
        }
        Ok(())
    }

    /// The next fault, if one is waiting.
    pub fn next_fault(&self) -> io::Result<Option<Fault>> {
        let mut message = MaybeUninit::<kernel::uffd_msg>::uninit();
        // SAFETY: MaybeUninit<u8> has the layout of u8, and the slice covers exactly the message.
        let buffer = unsafe {
            std::slice::from_raw_parts_mut(
                message.as_mut_ptr().cast::<MaybeUninit<u8>>(),
                size_of::<kernel::uffd_msg>(),
            )
        };
        match rustix::io::read(self.as_fd(), buffer) {
            Err(Errno::AGAIN | Errno::INTR) => return Ok(None),
            Err(error) => return Err(error.into()),
            Ok((read, _)) if read.len() == size_of::<kernel::uffd_msg>() => {}
            Ok(_) => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
        // SAFETY: the kernel filled the whole message.
        let message = unsafe { message.assume_init() };
        if u32::from(message.event) != kernel::UFFD_EVENT_PAGEFAULT {
            return Ok(None);
        }
        // SAFETY: a page fault message carries this member of the union.
        let fault = unsafe { message.arg.pagefault };
        let writes = u64::from(kernel::UFFD_PAGEFAULT_FLAG_WRITE | kernel::UFFD_PAGEFAULT_FLAG_WP);
        Ok(Some(Fault { address: fault.address as usize, write: fault.flags & writes != 0 }))
    }

    /// # Safety
    /// `OPCODE` takes a `T`, and what the call does is sound.
    unsafe fn call<const OPCODE: Opcode, T>(
        &self,
        point: &str,
        address: usize,
        arg: &mut T,
    ) -> rustix::io::Result<()> {
        if let Some(errno) = ztera_fail::at(point) {
            return Err(Errno::from_raw_os_error(errno));
        }
        // SAFETY: by the caller's promise.
        unsafe { ioctl::ioctl(self.of(address), Updater::<OPCODE, T>::new(arg)) }
    }
}

/// The descriptor that handlers read.
impl AsFd for Uffd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.second.get().unwrap_or(&self.first).as_fd()
    }
}

/// `EAGAIN` may mean that the call got this far.
fn done_before(error: Errno, done: i64) -> rustix::io::Result<usize> {
    match usize::try_from(done) {
        Ok(done) if done > 0 && error == Errno::AGAIN => Ok(done),
        _ => Err(error),
    }
}

fn range(start: usize, len: usize) -> kernel::uffdio_range {
    kernel::uffdio_range { start: start as u64, len: len as u64 }
}

fn handshake(fd: &OwnedFd, features: u64) -> Result<u64> {
    match userfaultfd::handshake(fd, features) {
        Ok(features) => Ok(features),
        Err(Errno::INVAL) => Err(Error::Unsupported("this version of the userfaultfd interface")),
        // UFFD_FEATURE_EVENT_FORK alone needs a capability, and is not asked for.
        Err(error) => Err(Error::System("userfaultfd handshake", error.into())),
    }
}

/// Opens a descriptor by the system call, else by the device; else, if that is enough, for faults of instructions only.
fn open_fd(faults: Faults) -> Result<OwnedFd> {
    let by_call = match userfaultfd::by_call(Faults::All) {
        Ok(fd) => return Ok(fd),
        Err(error) => error,
    };
    let by_device = match userfaultfd::by_device() {
        Ok(fd) => return Ok(fd),
        Err(error) => error,
    };
    if faults == Faults::OfInstructions
        && let Ok(fd) = userfaultfd::by_call(faults)
    {
        return Ok(fd);
    }
    let denied = [Errno::PERM, Errno::ACCESS];
    match (by_call, by_device) {
        (call, device) if denied.contains(&call) || denied.contains(&device) => Err(Error::Forbidden),
        (Errno::NOSYS, _) => Err(Error::Unsupported("userfaultfd")),
        (call, _) => Err(Error::System("userfaultfd", call.into())),
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use rustix::mm::{Advice, MapFlags, ProtFlags};

    use super::*;

    const PAGE: usize = 4096;

    /// Four registered pages, none of them there yet. `None`, visibly, where the kernel has no userfaultfd.
    fn registered() -> Option<(Uffd, usize)> {
        let uffd = match Uffd::open(false) {
            Err(error @ Error::Unsupported(_)) => {
                let _ =
                    io::Write::write_fmt(&mut io::stderr(), format_args!("SKIPPED, not tested: {error}\n"));
                return None;
            }
            other => other.unwrap_or_else(|error| panic!("{error}")),
        };
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping; it is never unmapped, and touched only where pages are in place.
        let base = unsafe { rustix::mm::mmap_anonymous(ptr::null_mut(), 4 * PAGE, prot, MapFlags::PRIVATE) };
        let base = base.expect("address space").expose_provenance();
        // SAFETY: our mapping.
        unsafe { uffd.register(base, 4 * PAGE) }.expect("the range can be registered");
        Some((uffd, base))
    }

    fn byte(at: usize) -> u8 {
        // SAFETY: only called for pages that are in place.
        unsafe { ptr::with_exposed_provenance::<u8>(at).read_volatile() }
    }

    #[test]
    fn a_copy_over_a_page_that_is_there_says_so_and_keeps_it() {
        let Some((uffd, base)) = registered() else { return };
        // SAFETY: inside the registered range, here and below.
        unsafe { uffd.copy(base + 2 * PAGE, &[7; PAGE], false) }.expect("the page is missing");
        // SAFETY: as above.
        let done = unsafe { uffd.copy(base, &[9; 4 * PAGE], false) };
        assert_eq!(done.expect("two pages are missing"), 2 * PAGE);
        // SAFETY: as above.
        let error = unsafe { uffd.copy(base + 2 * PAGE, &[9; 2 * PAGE], false) }.expect_err("it is there");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!([0, 1, 2].map(|page| byte(base + page * PAGE)), [9, 9, 7]);
    }

    #[test]
    fn a_write_to_a_protected_page_is_reported_and_waits() {
        let Some((uffd, base)) = registered() else { return };
        // SAFETY: inside the registered range.
        unsafe { uffd.copy(base, &[5; 4 * PAGE], true) }.expect("the pages are missing");
        assert_eq!(byte(base), 5);
        assert_eq!(uffd.next_fault().expect("readable"), None, "reading does not fault");
        std::thread::scope(|scope| {
            // SAFETY: the page is there, and only this thread writes to it.
            scope.spawn(move || unsafe {
                ptr::with_exposed_provenance_mut::<u8>(base + PAGE + 9).write_volatile(6)
            });
            let fault = loop {
                match uffd.next_fault().expect("readable") {
                    Some(fault) => break fault,
                    None => std::thread::yield_now(),
                }
            };
            assert_eq!(fault, Fault { address: base + PAGE, write: true });
            assert_eq!(byte(base + PAGE + 9), 5, "the writer waits");
            uffd.unprotect(base, 4 * PAGE).expect("the range is registered");
        });
        assert_eq!(byte(base + PAGE + 9), 6);
        // SAFETY: our own mapping.
        unsafe { rustix::mm::madvise(ptr::with_exposed_provenance_mut(base), PAGE, Advice::LinuxDontNeed) }
            .expect("pages can be dropped");
    }

    #[test]
    fn a_poisoned_page_fails_a_system_call_instead_of_hanging_it() {
        let Some((uffd, base)) = registered() else { return };
        if !uffd.can_poison {
            let _ =
                io::Write::write_all(&mut io::stderr(), b"SKIPPED, not tested: this kernel cannot poison\n");
            return;
        }
        uffd.poison(base, PAGE).expect("the kernel said it can");
        let (_reader, writer) = rustix::pipe::pipe().expect("a pipe");
        // SAFETY: the kernel checks the address; this program reads nothing there.
        let wrote = unsafe {
            libc::write(std::os::fd::AsRawFd::as_raw_fd(&writer), ptr::with_exposed_provenance(base), 1)
        };
        assert_eq!(wrote, -1);
    }
}
