//! Whether the pool has refused something and nothing was freed since.

use ztera_sync::atomic::{AtomicU64, Ordering};

/// Bit 0: full. The other bits count frees, so that a refusal that is out of date by the time it is
/// noted does not stick: whoever frees has looked already, and nobody would look again.
#[derive(Debug, Default)]
pub(crate) struct Fullness(AtomicU64);

/// The frees at some time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frees(u64);

const FULL: u64 = 1;
const FREE: u64 = 2;

impl Fullness {
    /// Whether asking for room is pointless.
    pub fn is_full(&self) -> bool {
        self.0.load(Ordering::Relaxed) & FULL != 0
    }

    /// Frees so far.
    pub fn frees(&self) -> Frees {
        Frees(self.0.load(Ordering::Acquire))
    }

    /// Room that was asked for after `before` was refused.
    pub fn refused(&self, Frees(before): Frees) {
        // Fails if something was freed meanwhile: then it may fit now.
        let _ = self.0.compare_exchange(before, before | FULL, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// Something was freed. Returns whether the pool was full before.
    pub fn freed(&self) -> bool {
        let was_full = self.0.fetch_add(FREE, Ordering::AcqRel) & FULL != 0;
        if was_full {
            self.try_again();
        }
        was_full
    }

    /// Takes the pool for not full, until the next refusal.
    pub fn try_again(&self) {
        self.0.fetch_and(!FULL, Ordering::AcqRel);
    }
}
