//! The way of the units of a submission, one by one.

use ztera_codec::{Offloaded, Packed};
use ztera_policy::copies::is_worth_keeping;
use ztera_pool::Grant;
use ztera_ssd::Purpose;

use crate::form::Density;
use crate::offload::Offer;
use crate::scratch::Scratch;
use crate::slot::{Backing, Slot, StagedPage};
use crate::staging::{Buffer, Job};
use crate::store::{Full, Host, Plan, Store};
use crate::writeback::{Mover, Writer};
use ztera_policy::units::UnitIndex;

impl Store {
    /// Stores each unit of a job that is still what was submitted. The buffer that comes back is to be given to
    /// [`Staging`](crate::staging::Staging), and `host` to be told that memory is free.
    pub(crate) fn run(&self, mut job: Job, scratch: &mut Scratch, host: &dyn Host) -> Buffer {
        ztera_fail::at("worker.job");
        let bytes = u64::from(job.units.count()) * self.unit().bytes() as u64;
        let Plan { keeps, mut density } = host.plan(bytes);
        if keeps {
            self.keep_all_here(&job, host);
        }
        let mut spill = Spill { store: self, writer: None, failed: false, units: Vec::new(), host };
        let offered_as = density;
        let mut offers = self.offer_job(&job, density, scratch);
        // The device has the others meanwhile.
        for (i, unit) in job.units.iter().enumerate() {
            if offers.get(i).is_some_and(Option::is_some) {
                continue;
            }
            let page = self.page_of(&job, unit);
            let grant = job.promised.as_mut().and_then(|promised| promised.take_one());
            let unit = Unit { unit, page, grant, offer: None };
            self.store_staged(unit, &mut density, scratch, &mut spill);
        }
        for (unit, offer) in job.units.iter().zip(&mut offers).filter(|(_, offer)| offer.is_some()) {
            let page = self.page_of(&job, unit);
            let grant = job.promised.as_mut().and_then(|promised| promised.take_one());
            // Objects may have to be denser by now than the device makes them.
            let offer = offer.take().filter(|_| density == offered_as);
            let unit = Unit { unit, page, grant, offer };
            self.store_staged(unit, &mut density, scratch, &mut spill);
        }
        // Only now: until then the staging buffer is what the spilled units are read from.
        spill.flush();
        if let Some(rest) = job.promised {
            self.pool.release(rest);
        }
        job.buffer
    }

    fn page_of(&self, job: &Job, unit: UnitIndex) -> StagedPage {
        StagedPage::new(job.buffer.address() + (unit.0 - job.units.first.0) as usize * self.unit().bytes())
    }

    /// Offers what is still staged to the device, as one batch. Nothing comes back if there is none for such objects.
    fn offer_job(&self, job: &Job, density: Density, scratch: &mut Scratch) -> Vec<Offer<'_>> {
        let kind = scratch.packer(density).kind();
        if self.device(kind).is_none() {
            return Vec::new();
        }
        let is_staged =
            |unit: UnitIndex| self.table().lock(unit).backing() == Backing::Staged(self.page_of(job, unit));
        let staged: Vec<bool> = job.units.iter().map(is_staged).collect();
        let of = |(unit, _): (UnitIndex, &bool)| self.job_bytes(self.page_of(job, unit));
        let bytes: Vec<&[u8]> =
            job.units.iter().zip(&staged).filter(|(_, staged)| **staged).map(of).collect();
        let mut offers = self.offer(kind, &bytes).into_iter();
        staged.into_iter().map(|staged| staged.then(|| offers.next().flatten()).flatten()).collect()
    }

    /// Memory has room for the units as they are: those that are still what was submitted become resident.
    fn keep_all_here(&self, job: &Job, host: &dyn Host) {
        let len = self.unit().bytes();
        for batch in job.units.batches(KEPT_AT_ONCE) {
            let mut slots = self.table().lock_all(batch);
            let page = |unit: UnitIndex| self.page_of(job, unit);
            let staged =
                |slot: &Slot<'_>| slot.backing() == Backing::Staged(page(slot.unit())) && !slot.is_resident();
            // Seldom is one of them not: then they are stored one by one.
            if !slots.iter().all(staged) {
                continue;
            }
            host.keep(&mut slots, self.staged_bytes(page(batch.first), batch.count() as usize * len));
            slots.iter_mut().for_each(|slot| self.forget(slot));
        }
    }

    fn store_staged(
        &self,
        Unit { unit, page, grant, offer }: Unit<'_>,
        density: &mut Density,
        scratch: &mut Scratch,
        spill: &mut Spill<'_>,
    ) {
        if self.table().lock(unit).backing() != Backing::Staged(page) {
            // Overwritten, discarded or written to meanwhile.
            return self.release(grant);
        }
        let bytes = self.job_bytes(page);
        let made =
            offer.and_then(|offer| self.collect(&*offer, bytes, &mut scratch.packer, &mut scratch.unit));
        let packed = match &made {
            Some(Offloaded::Frame(frame)) => Packed::Frame((**frame).as_ref()),
            Some(Offloaded::Huge) => Packed::Huge,
            None => self.pack(bytes, *density, scratch),
        };
        let shortest = if let Packed::Frame(frame) = packed { frame } else { bytes };
        // A unit that hardly compresses is not worth the pool's memory, unless whoever submits had to wait for that.
        let at_once = self.tier().is_some_and(|tier| !tier.would_wait());
        let is_worth_it = match packed {
            Packed::Same(_) => true,
            Packed::Frame(frame) => is_worth_keeping(frame.len() as u64, self.unit().bytes() as u64),
            Packed::Huge => false,
        };
        if !is_worth_it && at_once && spill.add(unit, page, shortest) {
            return self.release(grant);
        }
        match self.keep(packed, bytes, grant) {
            Ok(backing) => self.settle(unit, page, backing),
            Err(Full) if spill.add(unit, page, shortest) => {}
            Err(Full) if scratch.can_be_denser(density) => self.keep_denser(unit, page, scratch, spill.host),
            Err(Full) => self.keep_here(unit, page, spill.host),
        }
    }

    /// Nothing else has room for the unit: the pool may have if it becomes smaller.
    fn keep_denser(&self, unit: UnitIndex, page: StagedPage, scratch: &mut Scratch, host: &dyn Host) {
        let bytes = self.job_bytes(page);
        match self.keep(self.pack(bytes, Density::Dense, scratch), bytes, None) {
            Ok(backing) => self.settle(unit, page, backing),
            Err(Full) => self.keep_here(unit, page, host),
        }
    }

    fn settle(&self, unit: UnitIndex, page: StagedPage, backing: Backing) {
        let mut slot = self.table().lock(unit);
        if slot.backing() == Backing::Staged(page) {
            self.replace(&mut slot, backing);
        } else {
            drop(slot);
            self.discard_unused(backing);
        }
    }

    /// The unit could not be written to SSD: the pool may have room for it as it is, memory always has.
    fn keep_here(&self, unit: UnitIndex, page: StagedPage, host: &dyn Host) {
        let bytes = self.job_bytes(page);
        if let Ok(backing) = self.keep(Packed::Huge, bytes, None) {
            return self.settle(unit, page, backing);
        }
        let mut slot = self.table().lock(unit);
        if slot.backing() == Backing::Staged(page) {
            if !slot.is_resident() {
                host.keep(std::slice::from_mut(&mut slot), bytes);
            }
            debug_assert!(slot.is_resident());
            self.forget(&mut slot);
        }
    }

    /// A unit of the job that is being run.
    fn job_bytes(&self, page: StagedPage) -> &[u8] {
        self.staged_bytes(page, self.unit().bytes())
    }

    /// `len` bytes of the job that is being run, or of a buffer that was taken from the producer.
    pub(crate) fn staged_bytes(&self, page: StagedPage, len: usize) -> &[u8] {
        let at = std::ptr::with_exposed_provenance::<u8>(page.address());
        // SAFETY: the caller owns the buffer, which nobody writes to, and does not give it back before it is done with these.
        unsafe { std::slice::from_raw_parts(at, len) }
    }
}

/// A unit of a job, the pool's promise of room for it, and whether a device has it.
struct Unit<'s> {
    unit: UnitIndex,
    page: StagedPage,
    grant: Option<Grant>,
    offer: Offer<'s>,
}

/// Units whose slots are locked together while they are made resident.
pub const KEPT_AT_ONCE: u32 = 32;

/// Units of a job on their way past the pool, to SSD.
struct Spill<'s> {
    store: &'s Store,
    /// Made when it is needed first.
    writer: Option<Writer<'s>>,
    failed: bool,
    units: Vec<(UnitIndex, StagedPage)>,
    host: &'s dyn Host,
}

impl Spill<'_> {
    /// False if there is no SSD, or it does not write.
    fn add(&mut self, unit: UnitIndex, page: StagedPage, contents: &[u8]) -> bool {
        for _ in 0..2 {
            if self.failed {
                return false;
            }
            if self.writer.is_none() {
                self.writer = Writer::new(self.store, Purpose::Write);
            }
            let Some(writer) = &mut self.writer else { return false };
            if writer.add(unit, Backing::Staged(page), contents) {
                self.units.push((unit, page));
                return true;
            }
            self.flush();
        }
        false
    }

    /// Writes what was added. If that fails, also after cleaning, the units are kept in DRAM.
    fn flush(&mut self) {
        let Some(writer) = self.writer.as_mut().filter(|_| !self.units.is_empty()) else { return };
        if self.store.tier().is_some_and(|tier| tier.room() == 0) {
            // Whether that makes room shows when the batch is written.
            let _ = Mover::new(self.store).map(|mut mover| mover.clean(1));
        }
        if writer.flush().is_err() {
            self.failed = true;
            for (unit, page) in self.units.drain(..) {
                self.store.keep_here(unit, page, self.host);
            }
        }
        self.units.clear();
    }
}
