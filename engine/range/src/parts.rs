//! The parts of a range, which its threads share, and what its owner asks of several of them.

use ztera_codec::Settings;
use ztera_policy::heat::Heat;
use ztera_store::{BUFFER_LEN, Backing, Host, KEPT_AT_ONCE, Plan, Scratch, Slot, StagingError, Units};

use crate::core::Core;
use crate::core::watch::PoolChange;
use crate::fault::Faults;
use crate::fault::server::Server;
use crate::reclaim::compactor::Compactor;
use crate::reclaim::demoter::Demoter;
use crate::reclaim::evictor::Evictor;
use crate::reclaim::idleness::Idleness;
use crate::reclaim::recompressor::Recompressor;
use crate::reclaim::splitter::Splitter;
use crate::trace::Recorder;

/// The core, and the state of those who borrow it.
pub(crate) struct Parts {
    pub core: Core,
    pub faults: Faults,
    pub idleness: Idleness,
    /// The denser codec; `None` if none is to be used.
    pub recompress: Option<Settings>,
    /// See `recompress`.
    pub recompressor: Option<Recompressor>,
    /// `None` if no object takes long to decode.
    pub splitter: Option<Splitter>,
    /// `None` if nobody wants to know what the program touches.
    pub trace: Option<Recorder>,
}

impl Parts {
    pub fn server(&self) -> Server<'_> {
        Server { core: &self.core, faults: &self.faults, trace: self.trace.as_ref() }
    }

    pub fn evictor(&self) -> Evictor<'_> {
        Evictor { core: &self.core }
    }

    pub fn demoter(&self) -> Demoter<'_> {
        Demoter::new(&self.core, &self.idleness)
    }

    /// Lends working memory to a thread of the program.
    pub fn lend<R>(&self, with: impl FnOnce(&mut Scratch) -> R) -> R {
        match &self.faults.sigbus {
            Some(sigbus) => sigbus.lend(&self.core.store, with),
            None => with(&mut self.core.store.scratch()),
        }
    }

    pub fn compactor(&self) -> Compactor<'_> {
        Compactor { core: &self.core }
    }

    /// Makes the first units of a staging buffer the contents of `units`, which are as new as what was evicted
    /// just now.
    pub fn submit(&self, buffer: *mut u8, units: Units) -> Result<(), StagingError> {
        let bytes = u64::from(units.count()) * self.core.unit_len() as u64;
        if bytes == 0 {
            self.core.store.cancel(buffer)?;
        } else if self.core.fits_in_memory(bytes) {
            self.keep_new(units, self.core.store.take(buffer, units)?.bytes());
        } else {
            self.stage(buffer, units)?;
        }
        // Resident units get no more of what buffers have borrowed.
        self.core.share_budget();
        Ok(())
    }

    /// Makes `units` resident with new contents. The thread that has just written these installs them faster than a worker
    /// could, which would find them in no cache; and its next ones can take the same buffer.
    fn keep_new(&self, units: Units, bytes: &[u8]) {
        let unit_len = self.core.unit_len();
        self.core.retire_batches(units, KEPT_AT_ONCE, &mut |slots| {
            let at = (slots[0].unit().0 - units.first.0) as usize * unit_len;
            slots.iter_mut().for_each(|slot| self.core.residency.stamp_new(slot));
            self.keep(slots, &bytes[at..][..slots.len() * unit_len]);
            slots.iter_mut().for_each(|slot| self.core.store.forget(slot));
        });
    }

    /// Leaves `units` to workers, which make room for them.
    fn stage(&self, buffer: *mut u8, units: Units) -> Result<(), StagingError> {
        let submission = self.core.store.begin(buffer, units)?;
        self.trace.iter().for_each(|trace| trace.submitted(units));
        self.core.retire(units, &mut |slot| {
            submission.stage(slot);
            self.core.residency.stamp_new(slot);
        });
        submission.push();
        Ok(())
    }

    /// Makes `units` empty.
    pub fn discard(&self, units: Units) {
        self.trace.iter().for_each(|trace| trace.discarded(units));
        self.core.retire(units, &mut |slot| {
            if slot.backing() != Backing::Empty {
                self.core.counters.discarded_units.add(1);
                self.core.store.clear(slot);
            }
        });
        self.core.rewrites.forget(units);
    }

    /// The host's clock ticks: calls those who have something to do now.
    pub fn pass_epoch(&self) {
        self.trace.iter().for_each(Recorder::epoch);
        self.core.compact_if_it_pays();
        self.idleness.pass_epoch(&self.core, self.recompressor.is_some());
    }
}

impl Parts {
    /// Whether `bytes` of staging buffers beyond their limit would have memory that nobody else uses.
    pub fn has_memory(&self, bytes: u64) -> bool {
        self.core.is_unused(bytes) && self.core.may_take(BUFFER_LEN as u64)
    }

    /// Does a little of what has time. Returns whether there is more.
    pub fn work_idly(&self) -> bool {
        let splits = self.splitter.as_ref().is_some_and(|splitter| splitter.step(&self.core));
        let compacts = self.compactor().step();
        let recompresses =
            self.recompressor.as_ref().is_some_and(|with| with.step(&self.core, &self.idleness));
        splits || recompresses || compacts
    }
}

impl Host for Parts {
    fn plan(&self, bytes: u64) -> Plan {
        Plan { keeps: self.core.fits_in_memory(bytes), density: self.core.density() }
    }

    fn keep(&self, slots: &mut [Slot<'_>], bytes: &[u8]) {
        self.core.install(slots[0].unit(), bytes, true);
        slots.iter_mut().for_each(|slot| self.core.residency.add(slot, Some(Heat::Cold)));
        self.core.residency.wake_evictor_if_high();
    }

    fn freed(&self, scratch: &mut Scratch) {
        self.core.pool_changed(PoolChange::Freed);
        self.evictor().make_room(scratch);
    }
}
