//! A kernel with nothing in it but userfaultfd: pages that are mapped or not, protected or not, and
//! threads that wait for them.

use std::collections::VecDeque;
use std::ptr;
use std::sync::Arc;

use rustix::io::Errno;
use shuttle::rand::{Rng, thread_rng};
use ztera_sync::{Condvar, Mutex};

/// Bytes of a page here, and everywhere that the engine runs today.
pub const PAGE: usize = 4096;

/// A program's access to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write(u8),
}

/// The signal that an access raises, by its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sigbus {
    /// `BUS_ADRERR`: the page is missing or protected, and registered for this signal.
    Fault,
    /// `BUS_MCEERR_AR`: it is poisoned.
    Poisoned,
}

/// The events that a page is registered for: who is told when it is missing or protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultMode {
    /// A handler, by a message; the thread waits.
    Handler,
    /// The thread, by [`Sigbus::Fault`].
    Sigbus,
}

/// A message to the fault handlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    pub page: usize,
    pub write: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Page {
    /// `None` while it is handed over.
    registered: Option<FaultMode>,
    mapped: bool,
    protected: bool,
    poisoned: bool,
    /// The kernel may take it at any time.
    offered: bool,
    /// How often waiting threads were told to try again.
    wakes: u64,
}

impl Page {
    /// The thread that hands pages over has their slots locked, and keeps all others from touching them.
    fn assert_registered(&self) {
        assert!(self.registered.is_some(), "nobody needs what is being handed over");
    }
}

struct State {
    pages: Vec<Page>,
    messages: VecDeque<Message>,
    closed: bool,
}

/// The range, and what the kernel knows of it.
pub struct Kernel {
    state: Mutex<State>,
    arrived: Condvar,
    woken: Condvar,
    bytes: *mut u8,
    len: usize,
}

// SAFETY: a model runs one thread at a time, and the bytes are only touched through this type.
unsafe impl Send for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}

/// The bytes of unmapped memory here, so that nobody takes it for zeros.
const GARBAGE: u8 = 0xdb;

impl Kernel {
    pub fn new(len: usize, mode: FaultMode) -> Arc<Self> {
        let page = Page { registered: Some(mode), ..Page::default() };
        let state = State { pages: vec![page; len / PAGE], messages: VecDeque::new(), closed: false };
        let bytes = Box::into_raw(vec![GARBAGE; len].into_boxed_slice()).cast();
        let (arrived, woken) = (Condvar::new(), Condvar::new());
        Arc::new(Self { state: Mutex::new(state), arrived, woken, bytes, len })
    }

    /// Bytes of it.
    pub fn size(&self) -> usize {
        self.len
    }

    /// Address of the byte at `offset`.
    pub fn address(&self, offset: usize) -> *mut u8 {
        assert!(offset < self.len);
        // SAFETY: inside the allocation, as just checked.
        unsafe { self.bytes.add(offset) }
    }

    /// An instruction of the program's. Returns what the byte at `offset` was before.
    pub fn access(&self, offset: usize, access: Access) -> Result<u8, Sigbus> {
        let page = offset / PAGE;
        let mut state = self.state.lock();
        loop {
            if state.pages[page].offered && thread_rng().r#gen() {
                self.take(&mut state.pages[page], page * PAGE);
            }
            let now = state.pages[page];
            now.assert_registered();
            let write = access != Access::Read;
            if now.poisoned {
                return Err(Sigbus::Poisoned);
            }
            if now.mapped && !(write && now.protected) {
                let at = self.address(offset);
                // SAFETY: inside the allocation; the lock keeps all others out.
                unsafe {
                    let before = at.read();
                    if let Access::Write(value) = access {
                        at.write(value);
                    }
                    return Ok(before);
                }
            }
            if now.registered == Some(FaultMode::Sigbus) {
                return Err(Sigbus::Fault);
            }
            state.messages.push_back(Message { page, write });
            self.arrived.notify_one();
            while state.pages[page].wakes == now.wakes {
                self.woken.wait(&mut state);
            }
        }
    }

    /// An access by a system call, for which nobody serves a fault: `None` if there is one. Returns what the byte was before.
    pub fn access_by_call(&self, offset: usize, access: Access) -> Option<u8> {
        let state = self.state.lock();
        let page = state.pages[offset / PAGE];
        if !page.mapped || (access != Access::Read && page.protected) {
            return None;
        }
        let at = self.address(offset);
        // SAFETY: inside the allocation; the lock keeps all others out.
        unsafe {
            let before = at.read();
            if let Access::Write(value) = access {
                at.write(value);
            }
            Some(before)
        }
    }

    /// The next message; waits for one until [`close`](Self::close).
    pub fn next_message(&self) -> Option<Message> {
        let mut state = self.state.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some(message) = state.messages.pop_front() {
                return Some(message);
            }
            self.arrived.wait(&mut state);
        }
    }

    /// Ends the handlers.
    pub fn close(&self) {
        self.state.lock().closed = true;
        self.arrived.notify_all();
    }

    /// Pages that are mapped.
    pub fn mapped(&self) -> usize {
        self.state.lock().pages.iter().filter(|page| page.mapped).count()
    }

    fn wake(&self, state: &mut State, page: usize) {
        state.pages[page].wakes += 1;
        // A thread that goes on takes its message back if nobody has read it.
        state.messages.retain(|message| message.page != page);
        self.woken.notify_all();
    }

    /// Changes the pages of `[start, start + len)` one by one until `change` refuses, and wakes who
    /// waits for one that was changed if `wake` says so. Returns the bytes changed, or the error of the
    /// first page.
    fn each(
        &self,
        start: usize,
        len: usize,
        wake: bool,
        mut change: impl FnMut(&mut Page, usize) -> Result<(), Errno>,
    ) -> Result<usize, Errno> {
        assert!(start.is_multiple_of(PAGE) && len.is_multiple_of(PAGE) && start + len <= self.len);
        for at in (start..start + len).step_by(PAGE) {
            let mut state = self.state.lock();
            match change(&mut state.pages[at / PAGE], at) {
                Err(error) if at == start => return Err(error),
                Err(_) => return Ok(at - start),
                Ok(()) if wake => self.wake(&mut state, at / PAGE),
                Ok(()) => {}
            }
        }
        Ok(len)
    }

    /// `UFFDIO_REGISTER`, or `UFFDIO_UNREGISTER` (`None`), after which nobody knows what was protected.
    pub fn register(&self, start: usize, len: usize, mode: Option<FaultMode>) {
        let result = self.each(start, len, false, |page, _| {
            *page = Page { registered: mode, protected: false, ..*page };
            Ok(())
        });
        assert_eq!(result, Ok(len));
    }

    /// `UFFDIO_COPY`, which lets others run between two pages.
    pub fn copy(&self, start: usize, src: &[u8], protect: bool) -> Result<usize, Errno> {
        self.each(start, src.len(), true, |page, at| {
            page.assert_registered();
            if page.mapped || page.poisoned {
                return Err(Errno::EXIST);
            }
            // SAFETY: one page inside the allocation and inside `src`, under the lock.
            unsafe { ptr::copy_nonoverlapping(src[at - start..].as_ptr(), self.address(at), PAGE) };
            *page = Page { mapped: true, protected: protect, ..*page };
            Ok(())
        })
    }

    /// `UFFDIO_WRITEPROTECT`.
    pub fn protect(&self, start: usize, len: usize, protect: bool) {
        let result = self.each(start, len, !protect, |page, _| {
            page.assert_registered();
            assert!(!page.offered, "what is written to such a page may be lost");
            page.protected = page.mapped && protect;
            Ok(())
        });
        assert_eq!(result, Ok(len));
    }

    /// `UFFDIO_WAKE`.
    pub fn wake_range(&self, start: usize, len: usize) {
        assert_eq!(self.each(start, len, true, |_, _| Ok(())), Ok(len));
    }

    /// `UFFDIO_POISON`.
    pub fn poison(&self, start: usize, len: usize) -> Result<usize, Errno> {
        self.each(start, len, true, |page, _| match page.mapped {
            true => Err(Errno::EXIST),
            false => {
                page.poisoned = true;
                Ok(())
            }
        })
    }

    /// `MADV_DONTNEED`.
    pub fn drop_pages(&self, start: usize, len: usize) {
        let result = self.each(start, len, false, |page, at| {
            self.take(page, at);
            Ok(())
        });
        assert_eq!(result, Ok(len));
    }

    fn take(&self, page: &mut Page, at: usize) {
        // SAFETY: one page inside the allocation, under the lock.
        unsafe { self.address(at).write_bytes(GARBAGE, PAGE) };
        *page = Page { registered: page.registered, wakes: page.wakes, ..Page::default() };
    }

    /// `MADV_FREE`: of pages that nobody can write to, chance takes some at once and others when they are touched.
    pub fn offer_pages(&self, start: usize, len: usize) {
        let result = self.each(start, len, false, |page, at| {
            assert!(page.mapped && page.protected, "what is written to such a page may be lost");
            page.offered = true;
            if thread_rng().gen_range(0..4) == 0 {
                self.take(page, at);
            }
            Ok(())
        });
        assert_eq!(result, Ok(len));
    }

    /// Whether whatever is mapped is protected.
    pub fn are_protected(&self, start: usize, len: usize) -> bool {
        let state = self.state.lock();
        state.pages[start / PAGE..(start + len) / PAGE].iter().all(|page| page.protected || !page.mapped)
    }

    /// Whether all pages can be written to.
    pub fn are_writable(&self, start: usize, len: usize) -> bool {
        let state = self.state.lock();
        state.pages[start / PAGE..(start + len) / PAGE].iter().all(|page| page.mapped && !page.protected)
    }

    /// `mincore`.
    pub fn are_mapped(&self, start: usize, len: usize) -> bool {
        let state = self.state.lock();
        state.pages[start / PAGE..(start + len) / PAGE].iter().all(|page| page.mapped)
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // SAFETY: made from a box of this length, and nobody has it any more.
        drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(self.bytes, self.len)) });
    }
}
