//! In place of the range's `neighbours`: others leave memory, and take it, as chance has it.

use shuttle::rand::{Rng, thread_rng};
use ztera_policy::sharing::Place;

/// The kernel does not tell.
pub(crate) fn taken_pages() -> Option<u64> {
    None
}

#[derive(Debug)]
pub(crate) struct Neighbours;

impl Neighbours {
    pub fn find() -> Self {
        Self
    }

    pub fn look(&self) -> Vec<Place> {
        // Large, so that little is left at one look and plenty at the next.
        let limit = 1 << 40;
        let available = if thread_rng().r#gen() { limit / 2 } else { 0 };
        let lingering = thread_rng().gen_range(0..limit / 4);
        vec![Place { limit, available, lingering, others: thread_rng().gen_range(0..limit) }]
    }
}
