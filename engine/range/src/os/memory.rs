//! The address range itself.

use std::ffi::{c_int, c_void};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use linux_raw_sys::general::MADV_DONTNEED_LOCKED;
use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags};
use rustix::process::PidfdFlags;
use ztera_store::{UnitIndex, UnitSize, Units};

use crate::os::again::patiently;

/// Anonymous memory at fixed addresses. On drop it is unmapped, or, if it was taken over from the
/// caller's reservation, becomes that reservation again.
#[derive(Debug)]
pub(crate) struct Memory {
    base: usize,
    len: usize,
    unit: UnitSize,
    taken_over: bool,
    batches: Batches,
}

impl Memory {
    /// Reserves `len` bytes anywhere.
    pub fn reserve(len: usize, unit: UnitSize) -> io::Result<Self> {
        ztera_fail::check("memory.map")?;
        // SAFETY: a new mapping at an address of the kernel's choice affects no existing memory.
        let base = unsafe { rustix::mm::mmap_anonymous(ptr::null_mut(), len, read_write(), flags())? };
        Self { base: base.expose_provenance(), len, unit, taken_over: false, batches: Batches::open() }
            .advised()
    }

    /// Takes over `len` bytes at `base`.
    ///
    /// # Safety
    /// These bytes are a PROT_NONE reservation that the caller owns and does not use until the
    /// `Memory` is dropped.
    pub unsafe fn take_over(base: usize, len: usize, unit: UnitSize) -> io::Result<Self> {
        let at = ptr::with_exposed_provenance_mut(base);
        // SAFETY: replaces only the reservation, which the caller hands over.
        unsafe { rustix::mm::mmap_anonymous(at, len, read_write(), flags() | MapFlags::FIXED)? };
        Self { base, len, unit, taken_over: true, batches: Batches::open() }.advised()
    }

    /// Units are installed page by page, so huge pages must not appear; and a forked child, which could
    /// not have its faults served, must not see the range at all.
    fn advised(self) -> io::Result<Self> {
        // SAFETY: exactly our mapping; neither advice changes contents.
        patiently(|| unsafe { self.advise("memory.advise", 0, self.len, Advice::LinuxDontFork) })?;
        // SAFETY: as above. A kernel without huge pages refuses this, and needs it not.
        let _ = unsafe { rustix::mm::madvise(self.pointer(0), self.len, Advice::LinuxNoHugepage) };
        Ok(self)
    }

    pub fn base(&self) -> usize {
        self.base
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Address of `unit`.
    pub fn address(&self, unit: UnitIndex) -> usize {
        self.base + self.unit.offset_of(unit).0 as usize
    }

    /// The unit that `address` lies in, if it is one of ours.
    pub fn unit_at(&self, address: usize) -> Option<UnitIndex> {
        let offset = address.checked_sub(self.base).filter(|&offset| offset < self.len)?;
        Some(self.unit.unit_at(ztera_store::ByteOffset(offset as u64)))
    }

    /// The mapped contents of `unit`.
    ///
    /// # Safety
    /// The unit is resident and write-protected, and its slot stays locked while the slice lives. So
    /// reading does not fault, and nobody can write.
    pub unsafe fn bytes(&self, unit: UnitIndex) -> &[u8] {
        let offset = self.unit.offset_of(unit).0 as usize;
        assert!(offset + self.unit.bytes() <= self.len);
        // SAFETY: inside the mapping, and by the caller's promise mapped and stable.
        unsafe { std::slice::from_raw_parts(self.pointer(offset).cast(), self.unit.bytes()) }
    }

    /// Unmaps `units`: their next access faults, and their memory is with the system.
    ///
    /// # Safety
    /// All their slots are locked, and the mapped contents are not needed any more.
    pub unsafe fn drop_pages(&self, units: Units) -> io::Result<()> {
        let offset = self.unit.offset_of(units.first).0 as usize;
        // SAFETY: by the caller's promise.
        unsafe { self.drop_bytes(offset, units.count() as usize * self.unit.bytes()) }
    }

    /// Unmaps `len` bytes of `unit` from its byte `from` on: whole pages.
    ///
    /// # Safety
    /// As of [`drop_pages`](Self::drop_pages), for these bytes.
    pub unsafe fn drop_part(&self, unit: UnitIndex, from: usize, len: usize) -> io::Result<()> {
        debug_assert!(from + len <= self.unit.bytes());
        // SAFETY: by the caller's promise.
        unsafe { self.drop_bytes(self.unit.offset_of(unit).0 as usize + from, len) }
    }

    /// # Safety
    /// The bytes are not needed any more.
    unsafe fn drop_bytes(&self, offset: usize, len: usize) -> io::Result<()> {
        assert!(offset + len <= self.len);
        // SAFETY: inside our mapping; losing the contents is what the caller wants.
        match patiently(|| unsafe { self.advise("memory.drop", offset, len, Advice::LinuxDontNeed) }) {
            // The program has locked its memory (mlockall). Units that the limits of a range keep out of memory
            // stay out.
            // SAFETY: as above.
            Err(Errno::INVAL) => Ok(patiently(|| unsafe { self.drop_locked(offset, len) })?),
            result => Ok(result?),
        }
    }

    /// # Safety
    /// The bytes are inside the mapping, and the advice is right for them.
    unsafe fn advise(
        &self,
        point: &str,
        offset: usize,
        len: usize,
        advice: Advice,
    ) -> rustix::io::Result<()> {
        if let Some(errno) = ztera_fail::at(point) {
            return Err(Errno::from_raw_os_error(errno));
        }
        // SAFETY: by the caller's promise.
        unsafe { rustix::mm::madvise(self.pointer(offset), len, advice) }
    }

    /// # Safety
    /// The bytes are inside the mapping, and are not needed any more.
    unsafe fn drop_locked(&self, offset: usize, len: usize) -> rustix::io::Result<()> {
        // SAFETY: by the caller's promise.
        match unsafe { libc::madvise(self.pointer(offset), len, MADV_DONTNEED_LOCKED as i32) } {
            0 => Ok(()),
            _ => Err(Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::IO)),
        }
    }

    /// [`drop_pages`](Self::drop_pages) for several runs, by one system call where the kernel can.
    ///
    /// # Safety
    /// As there, for all of them.
    pub unsafe fn drop_runs(&self, runs: &[Units]) -> io::Result<()> {
        // SAFETY: our mapping; losing the contents is what the caller wants.
        if unsafe { self.advise_runs(runs, libc::MADV_DONTNEED) } {
            return Ok(());
        }
        // SAFETY: by the caller's promise. Doing again what may be half done is harmless.
        runs.iter().try_for_each(|&run| unsafe { self.drop_pages(run) })
    }

    /// Lets the kernel take the pages of `runs` when it needs memory, without asking anybody: until then they are as they
    /// were, and then they fault. False if it does not take all of them, as it does not where memory is locked: the others are
    /// as they were.
    ///
    /// # Safety
    /// All their slots are locked, nobody can write to the pages, and the mapped contents are not needed any more.
    pub unsafe fn offer_runs(&self, runs: &[Units]) -> bool {
        if ztera_fail::at("memory.offer").is_some() {
            return false;
        }
        // SAFETY: our mapping; that contents may be lost is what the caller wants.
        let all = || unsafe { self.advise_runs(runs, libc::MADV_FREE) };
        let each = || runs.iter().all(|run| self.offer_run(run));
        all() || each()
    }

    /// Of each of `units`, whether all of its pages are mapped.
    pub fn are_whole(&self, units: Units) -> Vec<bool> {
        let pages_per_unit = self.unit.bytes() / rustix::param::page_size();
        let mut pages = vec![0_u8; units.count() as usize * pages_per_unit];
        let libc::iovec { iov_base, iov_len } = self.extent(&units);
        // SAFETY: inside our mapping, and there is a byte for each page.
        let result = unsafe { libc::mincore(iov_base, iov_len, pages.as_mut_ptr()) };
        let is_whole = |unit: &[u8]| result == 0 && unit.iter().all(|page| page & 1 != 0);
        pages.chunks_exact(pages_per_unit).map(is_whole).collect()
    }

    /// Gives the kernel `advice` on several runs by one call. False if that was not done, or not for all of them.
    ///
    /// # Safety
    /// As the advice asks for.
    unsafe fn advise_runs(&self, runs: &[Units], advice: c_int) -> bool {
        let [_, _, ..] = runs else { return false };
        let extents: Vec<_> = runs.iter().map(|run| self.extent(run)).collect();
        // SAFETY: extents inside our mapping, and the caller's promise.
        unsafe { self.batches.advise(&extents, advice) }
    }

    /// As [`offer_runs`](Self::offer_runs), for one run.
    fn offer_run(&self, run: &Units) -> bool {
        let libc::iovec { iov_base, iov_len } = self.extent(run);
        // SAFETY: inside our mapping; the caller has promised what the advice asks for.
        unsafe { libc::madvise(iov_base, iov_len, libc::MADV_FREE) == 0 }
    }

    fn extent(&self, run: &Units) -> libc::iovec {
        let offset = self.unit.offset_of(run.first).0 as usize;
        let len = run.count() as usize * self.unit.bytes();
        assert!(offset + len <= self.len);
        libc::iovec { iov_base: self.pointer(offset), iov_len: len }
    }

    fn pointer(&self, offset: usize) -> *mut c_void {
        ptr::with_exposed_provenance_mut(self.base + offset)
    }
}

/// Advice on several extents by one call: Linux 6.13 or later lets a process do that to itself, and
/// later versions flush translations once for all of them.
#[derive(Debug)]
struct Batches {
    own_process: Option<OwnedFd>,
    refused: AtomicBool,
}

impl Batches {
    fn open() -> Self {
        let own = rustix::process::pidfd_open(rustix::process::getpid(), PidfdFlags::empty());
        Self { own_process: own.ok(), refused: AtomicBool::new(false) }
    }

    /// False if not all of it was done.
    ///
    /// # Safety
    /// The extents are the caller's memory, and its contents may be lost if the advice says so.
    unsafe fn advise(&self, extents: &[libc::iovec], advice: c_int) -> bool {
        let Some(own) = self.own_process.as_ref().filter(|_| !self.refused.load(Ordering::Relaxed)) else {
            return false;
        };
        let wanted: usize = extents.iter().map(|extent| extent.iov_len).sum();
        // SAFETY: the arguments are what the call takes; its effect is what the caller wants.
        let done = unsafe {
            let (call, fd) = (libc::SYS_process_madvise, own.as_raw_fd());
            libc::syscall(call, fd, extents.as_ptr(), extents.len(), advice, 0)
        };
        let refusal = io::Error::last_os_error();
        // A refusal of the moment says nothing about the next time.
        let of_the_moment = [libc::EAGAIN, libc::ENOMEM, libc::EINTR].map(Some);
        if done < 0 && advice == libc::MADV_DONTNEED && !of_the_moment.contains(&refusal.raw_os_error()) {
            self.refused.store(true, Ordering::Relaxed);
        }
        usize::try_from(done) == Ok(wanted)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let at = self.pointer(0);
        if self.taken_over {
            let flags = flags() | MapFlags::FIXED;
            // SAFETY: replaces exactly our mapping. If the kernel has no memory even for that, the pages
            // stay mapped, unregistered: the caller's reservation is larger than it need be.
            let _ = unsafe { rustix::mm::mmap_anonymous(at, self.len, ProtFlags::empty(), flags) };
        } else {
            // SAFETY: our mapping, which nobody uses any more.
            let _ = unsafe { rustix::mm::munmap(at, self.len) };
        }
    }
}

fn read_write() -> ProtFlags {
    ProtFlags::READ | ProtFlags::WRITE
}

fn flags() -> MapFlags {
    MapFlags::PRIVATE | MapFlags::NORESERVE
}
