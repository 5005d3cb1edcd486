//! Opening, closing and managing a range.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::{self, NonNull};

use ztera_range::{Cost, Patch, Range, WriteBack};

use crate::config::zt_config;
use crate::outcome::{Failure, outcome, tell};

/// A managed address range.
pub struct zt_range(pub(crate) Range);

impl zt_range {
    /// # Safety
    /// `range` is null or came from `zt_range_open` and was not closed.
    pub(crate) unsafe fn get<'a>(range: *const Self) -> Result<&'a Range, Failure> {
        // SAFETY: by the caller's promise.
        unsafe { range.as_ref() }.map(|range| &range.0).ok_or(Failure::INVALID)
    }
}

/// Opens a range of `len` bytes, all zeros, and stores it in `*out`.
///
/// `base` is NULL (the engine reserves the addresses) or the page-aligned address of a PROT_NONE
/// reservation of the caller's, which the range takes over until it is closed; after a failure it is
/// PROT_NONE as before. `len` must be a multiple of the unit size. `cfg` may be NULL.
///
/// Not for memory that a device writes to by itself, be it while a call lasts (O_DIRECT) or longer (registered buffers of
/// io_uring, RDMA): pages may leave although the kernel has taken hold of them for a transfer. Bytes that are written to them then are
/// lost, and the range has what was there before; reads give the bytes that they held when they left. Calls that copy
/// are as good as instructions.
///
/// -EPERM: userfaultfd is forbidden to this process; with ZT_FAULT_SIGBUS it needs no privilege on Linux 5.11 or later.
/// -ENOSYS: the kernel lacks it, or write protection with it. -EINVAL, -E2BIG: an argument cannot be. -ENOMEM: no
/// memory or address space. -EEXIST: the SSD tier's device holds data. -ENOENT, -EACCES, -ENOSPC and the like: the SSD
/// tier's file cannot be made.
///
/// # Safety
/// As above; nobody touches the addresses before this returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_open(
    base: *mut c_void,
    len: usize,
    cfg: *const zt_config,
    out: *mut *mut zt_range,
) -> c_int {
    outcome(|| {
        if out.is_null() {
            return Err(Failure::INVALID);
        }
        // SAFETY: the caller passes null or a configuration, whose paths are null or C strings.
        let options = unsafe { zt_config::read(cfg)?.options() }?;
        let range = match NonNull::new(base.cast()) {
            None => Range::open(len, &options),
            // SAFETY: the caller hands the reservation over.
            Some(base) => unsafe { Range::open_at(base, len, &options) },
        };
        let range = range.inspect_err(tell)?;
        // SAFETY: `out` is the caller's variable.
        unsafe { out.write(Box::into_raw(Box::new(zt_range(range)))) };
        Ok(())
    })
}

/// The range's first byte; NULL for NULL. For hosts that let the engine reserve the addresses: the JVM does not.
///
/// # Safety
/// `range` is NULL or an open range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_base(range: *const zt_range) -> *mut c_void {
    // SAFETY: by the caller's promise.
    unsafe { zt_range::get(range) }.map_or(ptr::null_mut(), |range| range.base().cast())
}

/// Ends the range: joins its threads and frees everything. The JVM keeps its range until the process ends. Its addresses are unmapped, or PROT_NONE
/// again if they were the caller's. NULL is ignored.
///
/// # Safety
/// `range` is NULL or an open range that no other thread uses, whose addresses nobody touches any
/// more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_close(range: *mut zt_range) -> c_int {
    outcome(|| {
        if !range.is_null() {
            // SAFETY: made by `zt_range_open` from a box, and given up by the caller.
            drop(unsafe { Box::from_raw(range) });
        }
        Ok(())
    })
}

/// Serves a fault of the calling thread in a range that was opened with ZT_FAULT_SIGBUS: to be called by the handler of
/// SIGBUS with the signal's `si_addr` when its `si_code` is BUS_ADRERR; `write` is not 0 if the access was a write. After 0 the
/// instruction can be tried again. -EINVAL: the contents are lost, or the address is not the range's, or the range was
/// opened otherwise; then the signal means what it means elsewhere.
///
/// Safe in a signal handler as long as the interrupted code is no allocator or such: it takes locks and memory.
///
/// # Safety
/// `range` is an open range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_fault(range: *const zt_range, address: *mut c_void, write: c_int) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        let served = unsafe { zt_range::get(range) }?.serve_fault(address.addr(), write != 0);
        if served { Ok(()) } else { Err(Failure::INVALID) }
    })
}

/// From now on threads of the range serve faults, and system calls may be given its addresses, as if it had been
/// opened with ZT_FAULT_HANDLER. After an error threads go on to serve themselves; -EINVAL: it is so already; -EPERM:
/// that takes a privilege.
///
/// # Safety
/// `range` is an open range, and until this returns nobody writes to its addresses or uses what is read there, except
/// where they are pinned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_use_handlers(range: *mut zt_range) -> c_int {
    // SAFETY: by the caller's promise.
    outcome(|| Ok(unsafe { zt_range::get(range) }?.use_handlers()?))
}

/// Makes the pages of `len` bytes from `offset` resident and writable, and keeps them so until as many calls of
/// zt_range_unpin with that offset: system calls may be given these addresses, whoever serves faults. The bytes may be any,
/// but `offset` must be a multiple of 8, and pins that begin there have one length. Pins of several threads are counted, and
/// may overlap. A part that was pinned just before costs next to nothing. No call waits for another pin to end. Meanwhile nobody
/// submits or discards these bytes.
///
/// Half of what may be resident may be pinned. 1: it is pinned, but pins have brought in far more than their uses can be
/// worth; zt_range_use_handlers would serve what is touched, and no more. -ENOMEM: more bytes than may be pinned. -EAGAIN:
/// more than other pins leave of that. -EIO: some contents are lost. -EINVAL: other arguments cannot be.
///
/// # Safety
/// `range` is an open range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_pin(range: *const zt_range, offset: u64, len: usize) -> c_int {
    let mut handlers_pay = false;
    let result = outcome(|| {
        // SAFETY: by the caller's promise.
        handlers_pay = unsafe { zt_range::get(range) }?.pin(offset, len as u64)?.handlers_pay;
        Ok(())
    });
    if handlers_pay { 1 } else { result }
}

/// Ends one pin that begins at `offset`. -EINVAL: there is none, and nothing has changed.
///
/// # Safety
/// `range` is an open range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_unpin(range: *const zt_range, offset: u64) -> c_int {
    // SAFETY: by the caller's promise.
    outcome(|| unsafe { zt_range::get(range) }?.unpin(offset).then_some(()).ok_or(Failure::INVALID))
}

/// Ends all pins, also those of which nobody said so: the host knows that none is in use.
///
/// # Safety
/// `range` is an open range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_unpin_all(range: *const zt_range) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        unsafe { zt_range::get(range) }?.unpin_all();
        Ok(())
    })
}

/// A change of four bytes of a unit. Values are as they would be read from that address and written to it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct zt_patch {
    /// The first of them, from the start of the unit: a multiple of 4.
    pub offset: u32,
    /// The four bytes as they are. Others stay as they are.
    pub from: u32,
    /// The four bytes from now on.
    pub to: u32,
}

/// Corrects the unit at `offset` where it is not in memory, and reads nothing for that. Readers find the `count` patches made. No two
/// of them are of the same bytes. -EBUSY, and nothing has changed: it is in memory or on its way out of it, or patches take as
/// much memory as they may; then write to its addresses. Nobody else may write to these bytes meanwhile.
///
/// -EINVAL: `offset` is no multiple of the unit size, `count` is 0, or a patch is not of four bytes of the unit.
///
/// # Safety
/// `range` is an open range, `patches` the caller's `count` patches.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_patch(
    range: *mut zt_range,
    offset: u64,
    patches: *const zt_patch,
    count: usize,
) -> c_int {
    outcome(|| {
        if patches.is_null() {
            return Err(Failure::INVALID);
        }
        // SAFETY: by the caller's promise.
        let (range, patches) = unsafe { (zt_range::get(range)?, std::slice::from_raw_parts(patches, count)) };
        let of = |patch: &zt_patch| Patch {
            offset: patch.offset,
            from: patch.from.to_ne_bytes(),
            to: patch.to.to_ne_bytes(),
        };
        let patches: Vec<Patch> = patches.iter().map(of).collect();
        range.patch(offset, &patches)?.then_some(()).ok_or(Failure::BUSY)
    })
}

/// Makes `len` bytes from `offset` zeros again, whatever state they are in, and gives back all memory
/// they took. Both must be multiples of the unit size. -EBUSY: somebody has pinned some of them, and nothing has changed.
///
/// # Safety
/// `range` is an open range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_discard(range: *mut zt_range, offset: u64, len: usize) -> c_int {
    // SAFETY: by the caller's promise.
    outcome(|| Ok(unsafe { zt_range::get(range) }?.discard(offset, len as u64)?))
}

/// Stores in `*bytes` how many more bytes may be submitted now if each thousand of them take `cost` bytes of DRAM once
/// they are compressed (see zt_range_sample), and all that is there as much as it takes so far; UINT64_MAX without a
/// pool limit.
///
/// # Safety
/// `range` is an open range, `bytes` a variable of the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_capacity(range: *mut zt_range, cost: u32, bytes: *mut u64) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        let capacity =
            unsafe { zt_range::get(range) }?.capacity(Cost::per_mille(cost.into())).unwrap_or(u64::MAX);
        // SAFETY: as above.
        *unsafe { bytes.as_mut() }.ok_or(Failure::INVALID)? = capacity;
        Ok(())
    })
}

/// Stores in `*stored` how many bytes of DRAM the `len` bytes at `data` would take if they were compressed as far as the
/// range does that. `len` must be a multiple of the unit size.
///
/// # Safety
/// `range` is an open range, `data` the caller's `len` bytes, `stored` a variable of the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_sample(
    range: *const zt_range,
    data: *const c_void,
    len: usize,
    stored: *mut u64,
) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        let (range, stored) = unsafe { (zt_range::get(range)?, stored.as_mut()) };
        if data.is_null() {
            return Err(Failure::INVALID);
        }
        // SAFETY: as above.
        let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
        *stored.ok_or(Failure::INVALID)? = range.sample(bytes)?;
        Ok(())
    })
}

/// Moves what the pool has of `len` bytes from `offset` to SSD, if `idle_only` is not 0 only what of it is idle (see
/// idle_epochs), and stores in `*moved` how many bytes that is, uncompressed. Pages that are in memory stay there
/// too. Both must be multiples of the unit size.
///
/// -EINVAL: not whole units, or there is no SSD tier. -ENOSPC: the SSD is full, or does not write; what is
/// not on it stays in the pool.
///
/// # Safety
/// `range` is an open range, `moved` a variable of the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_writeback(
    range: *mut zt_range,
    offset: u64,
    len: usize,
    idle_only: u32,
    moved: *mut u64,
) -> c_int {
    outcome(|| {
        let which = if idle_only == 0 { WriteBack::All } else { WriteBack::Idle };
        // SAFETY: by the caller's promise.
        let moved = unsafe { moved.as_mut() }.ok_or(Failure::INVALID)?;
        // SAFETY: as above.
        *moved = unsafe { zt_range::get(range) }?.write_back(offset, len as u64, which)?;
        Ok(())
    })
}

/// Where the pages of a part of a range are. Bytes, uncompressed.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct zt_census {
    /// Mapped.
    pub resident_bytes: u64,
    /// In DRAM, but not mapped: in the pool, staged, or one word repeated.
    pub compressed_bytes: u64,
    /// Only on SSD.
    pub ssd_bytes: u64,
    /// Of those in the pool, what was not touched for idle_epochs.
    pub idle_bytes: u64,
    /// Of those mapped, what was written to since: to evict it means to compress it again.
    pub written_bytes: u64,
    /// Compressed again since they were submitted, because they had been written to; each as often as it was.
    pub rewritten_bytes: u64,
}

/// Adds to `*census` where the `len` bytes from `offset` are, about now. Both must be multiples of the unit size.
///
/// # Safety
/// `range` is an open range, `census` a variable of the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_census(
    range: *const zt_range,
    offset: u64,
    len: usize,
    census: *mut zt_census,
) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        let (range, sum) = unsafe { (zt_range::get(range)?, census.as_mut()) };
        let sum = sum.ok_or(Failure::INVALID)?;
        let found = range.census(offset, len as u64)?;
        sum.resident_bytes += found.resident;
        sum.compressed_bytes += found.compressed;
        sum.ssd_bytes += found.on_ssd;
        sum.idle_bytes += found.idle;
        sum.written_bytes += found.written;
        sum.rewritten_bytes += found.rewritten;
        Ok(())
    })
}

/// Makes room for `bytes` that the calling thread is about to touch beside the range, and keeps them free for a while, or until
/// zt_range_end_room. Where there is room, that takes next to nothing; else the thread takes pages of the range out of memory,
/// which may take as long as compressing them, and longer with an SSD. For allocations of some pages or more.
///
/// -ENOMEM: there is less, though all has left memory that can; the caller may go on, and the kernel may end the process.
///
/// # Safety
/// `range` is an open range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_make_room(range: *const zt_range, bytes: usize) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        let has_room = unsafe { zt_range::get(range) }?.make_room(bytes as u64);
        has_room.then_some(()).ok_or(Failure::NO_MEMORY)
    })
}

/// `bytes` for which zt_range_make_room was called are free again. It does not matter whether they were touched, nor when.
///
/// # Safety
/// `range` is an open range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_end_room(range: *const zt_range, bytes: usize) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        unsafe { zt_range::get(range) }?.end_room(bytes as u64);
        Ok(())
    })
}

/// Somebody is about to need memory who cannot ask for it, such as a child process that starts. For some seconds the kernel can
/// take more of the range by itself than else. The call may take some tenths of a second.
///
/// # Safety
/// `range` is an open range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_expect(range: *const zt_range) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        unsafe { zt_range::get(range) }?.expect();
        Ok(())
    })
}

/// Another `dram_max` than the range was opened with: the host has more memory for it, or wants some back.
/// Pages leave for that soon, not at once. -EINVAL: it was opened without one.
///
/// # Safety
/// `range` is an open range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_set_dram_max(range: *mut zt_range, bytes: u64) -> c_int {
    // SAFETY: by the caller's promise.
    outcome(|| Ok(unsafe { zt_range::get(range) }?.set_dram_max(bytes)?))
}

/// Writes the oldest decision about the division of memory that was not asked for yet, with its reason and what
/// was known, to `text`: a C string, cut to `cap` bytes, empty if there is none. The last few are kept.
///
/// # Safety
/// `range` is an open range, `text` the caller's `cap` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_next_decision(
    range: *mut zt_range,
    text: *mut c_char,
    cap: usize,
) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        let decision = unsafe { zt_range::get(range) }?.next_decision().unwrap_or_default();
        // SAFETY: as above.
        unsafe { give_text(&decision, text, cap) }
    })
}

/// Writes which unit could not be read last, and why, to `text`: a C string, cut to `cap` bytes, empty if none was. Neither
/// waits nor allocates, so that a process that has crashed may ask.
///
/// # Safety
/// `range` is an open range, `text` the caller's `cap` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_last_loss(range: *const zt_range, text: *mut c_char, cap: usize) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        let range = unsafe { zt_range::get(range) }?;
        // SAFETY: as above.
        let give = |loss: &str| unsafe { give_text(loss, text, cap) };
        range.last_loss(give).unwrap_or_else(|| give(""))
    })
}

/// Writes `from` to `text` as a C string, cut to `cap` bytes.
///
/// # Safety
/// `text` is null or the caller's `cap` bytes.
pub(crate) unsafe fn give_text(from: &str, text: *mut c_char, cap: usize) -> Result<(), Failure> {
    if text.is_null() || cap == 0 {
        return Err(Failure::INVALID);
    }
    let len = from.len().min(cap - 1);
    // SAFETY: `len + 1` bytes are the caller's.
    unsafe {
        text.cast::<u8>().copy_from_nonoverlapping(from.as_ptr(), len);
        text.add(len).write(0);
    }
    Ok(())
}

/// One garbage collection of the host has passed: the engine's clock ticks.
///
/// # Safety
/// `range` is an open range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_epoch(range: *mut zt_range) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        unsafe { zt_range::get(range) }?.tick();
        Ok(())
    })
}

/// The engine's version, a constant string. The JVM does not ask for it: it has the engine that it was built with.
#[unsafe(no_mangle)]
pub extern "C" fn zt_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
