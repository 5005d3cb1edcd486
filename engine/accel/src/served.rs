//! A device as a store is given it.

use std::fmt;
use std::time::Duration;

use ztera_codec::{Offered, Offload, Offloaded};

use crate::offload::{Accelerator, Made, Ticket};

impl fmt::Debug for Accelerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accelerator").field("stats", &self.stats()).finish_non_exhaustive()
    }
}

impl Offload for Accelerator {
    fn most_at_once(&self) -> usize {
        Accelerator::most_at_once(self)
    }

    fn offer<'d>(&'d self, units: &[&[u8]]) -> Vec<Option<Box<dyn Offered + 'd>>> {
        let given = |ticket| Box::new(Given { accelerator: self, ticket }) as Box<dyn Offered + 'd>;
        Accelerator::offer(self, units.iter().copied()).into_iter().map(|ticket| ticket.map(given)).collect()
    }

    fn cpu_begins(&self) {
        Accelerator::cpu_begins(self);
    }

    fn cpu_ends(&self, took: Duration) {
        Accelerator::cpu_ends(self, took);
    }
}

struct Given<'d> {
    accelerator: &'d Accelerator,
    ticket: Ticket,
}

impl Offered for Given<'_> {
    fn wait(&self, decodes: &mut dyn FnMut(&[u8]) -> bool) -> Option<Offloaded> {
        Some(match self.accelerator.wait(&self.ticket, decodes).ok()? {
            Made::Frame(frame) => Offloaded::Frame(Box::new(frame)),
            Made::Huge => Offloaded::Huge,
        })
    }
}
