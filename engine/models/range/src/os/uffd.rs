//! In place of the range's `uffd`: the same calls, of the simulated kernel.

use std::io;
use std::sync::Arc;

use shuttle::rand::{Rng, thread_rng};

use crate::kernel::{FaultMode, Kernel, Message, PAGE};

pub(crate) struct Uffd(pub Arc<Kernel>);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub address: usize,
    pub write: bool,
}

impl Uffd {
    /// Now and then there is memory for the first page only, or after a wait.
    pub unsafe fn copy(&self, dst: usize, src: &[u8], protect: bool) -> io::Result<usize> {
        let src = match thread_rng().gen_range(0..8) {
            0 => {
                ztera_sync::thread::yield_now();
                src
            }
            1 | 2 => &src[..PAGE],
            _ => src,
        };
        Ok(self.0.copy(self.offset(dst), src, protect)?)
    }

    pub fn protect(&self, start: usize, len: usize) -> io::Result<()> {
        self.0.protect(self.offset(start), len, true);
        Ok(())
    }

    pub fn unprotect(&self, start: usize, len: usize) -> io::Result<()> {
        self.0.protect(self.offset(start), len, false);
        Ok(())
    }

    pub fn wake(&self, start: usize, len: usize) -> io::Result<()> {
        self.0.wake_range(self.offset(start), len);
        Ok(())
    }

    pub fn poison(&self, start: usize, len: usize) -> io::Result<()> {
        self.0.poison(self.offset(start), len)?;
        Ok(())
    }

    pub fn hand_over(&self, start: usize, len: usize) -> io::Result<()> {
        self.0.register(self.offset(start), len, None);
        self.0.register(self.offset(start), len, Some(FaultMode::Handler));
        Ok(())
    }

    pub fn is_handed_over(&self) -> bool {
        unreachable!("handing over never fails here")
    }

    /// Unlike the real one, waits; `None` when the range is closed.
    pub fn next_fault(&self) -> Option<Fault> {
        let Message { page, write } = self.0.next_message()?;
        Some(Fault { address: self.0.address(page * PAGE).expose_provenance(), write })
    }

    fn offset(&self, address: usize) -> usize {
        address - self.0.address(0).addr()
    }
}
