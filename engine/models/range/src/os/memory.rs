//! In place of the range's `memory`: the simulated kernel's pages.

use std::io;
use std::sync::Arc;

use shuttle::rand::{Rng, thread_rng};
use ztera_store::{ByteOffset, UnitIndex, UnitSize, Units};

use crate::kernel::Kernel;

pub(crate) struct Memory {
    pub kernel: Arc<Kernel>,
    pub unit: UnitSize,
}

impl Memory {
    pub fn address(&self, unit: UnitIndex) -> usize {
        self.kernel.address(self.offset(unit)).expose_provenance()
    }

    pub fn unit_at(&self, address: usize) -> Option<UnitIndex> {
        let offset = address.checked_sub(self.kernel.address(0).addr())?;
        (offset < self.kernel.size()).then(|| self.unit.unit_at(ByteOffset(offset as u64)))
    }

    pub unsafe fn bytes(&self, unit: UnitIndex) -> &[u8] {
        // SAFETY: the unit lies in the kernel's allocation; that nobody writes to it meanwhile is what
        // the caller promises and the model tests.
        unsafe { std::slice::from_raw_parts(self.kernel.address(self.offset(unit)), self.unit.bytes()) }
    }

    pub unsafe fn drop_pages(&self, units: Units) -> io::Result<()> {
        self.kernel.drop_pages(self.offset(units.first), units.count() as usize * self.unit.bytes());
        Ok(())
    }

    pub unsafe fn drop_part(&self, unit: UnitIndex, from: usize, len: usize) -> io::Result<()> {
        self.kernel.drop_pages(self.offset(unit) + from, len);
        Ok(())
    }

    pub unsafe fn drop_runs(&self, runs: &[Units]) -> io::Result<()> {
        // SAFETY: by the caller's promise.
        runs.iter().try_for_each(|&run| unsafe { self.drop_pages(run) })
    }

    /// The kernel refuses now and then, as where memory is locked.
    pub unsafe fn offer_runs(&self, runs: &[Units]) -> bool {
        if thread_rng().gen_range(0..8) == 0 {
            return false;
        }
        for run in runs {
            self.kernel.offer_pages(self.offset(run.first), run.count() as usize * self.unit.bytes());
        }
        true
    }

    pub fn are_whole(&self, units: Units) -> Vec<bool> {
        units.iter().map(|unit| self.kernel.are_mapped(self.offset(unit), self.unit.bytes())).collect()
    }

    fn offset(&self, unit: UnitIndex) -> usize {
        self.unit.offset_of(unit).0 as usize
    }
}
