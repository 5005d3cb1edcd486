//! How much of a memory a process leaves to others that share it: a cgroup's, or the machine's. Pure decisions over
//! numbers. The processes do not talk to each other; all see how much of the memory can still be had.
//!
//! * **[Growth]** keeps them alive. Each look allows a process a [credit](Place::credit), and it takes no more before it
//!   has looked again. Credits are granted only while more than a reserve can be had, and eight of them are the reserve.
//!   So eight processes stay within the limit, however fast they grow and however late they look.
//! * **[Sharing]** makes them alike, several times a second. Where little is left, each gives a part of what it holds.
//!   Where it is more, each takes as much as any other. So whoever holds more gives more and takes the same, and in the
//!   end all hold the same, like connections that share a line (additive increase, multiplicative decrease).
//!
//! A process that has its memory for itself is left alone: its host has reckoned with all of it.

use std::cmp::Reverse;

use crate::eviction::LEAST_STEPS;
use crate::reason::Reason;

/// A memory of which this process has a part. In bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// All of it.
    pub limit: u64,
    /// The part that is still to be had.
    pub available: u64,
    /// The kernel takes so much by itself beyond that, when it needs it: units that linger, of this process or others.
    pub lingering: u64,
    /// Memory that others than this process have for themselves.
    pub others: u64,
}

/// The part that the process itself has of its host's budget. In bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Own {
    /// All that it may have.
    pub budget: u64,
    /// Bytes that it has.
    pub held: u64,
    /// Bytes that it could not give back.
    pub fixed: u64,
}

/// The part that it is to have. In bytes; `u64::MAX` = as much as the budget allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// It keeps to so much.
    pub max: u64,
    /// New data may come as long as all of it takes no more. These bytes leave another part of the process as they come, so
    /// that they may go beyond `max` where there is memory.
    pub admits: u64,
}

impl Share {
    /// All of the budget.
    pub const ALL: Self = Self { max: u64::MAX, admits: u64::MAX };
}

/// Programs that touch new memory as fast as they can take so much in a tenth of a second, or a little less.
const BURST: u64 = 64 << 20;

/// A reserve is no larger.
const MOST_RESERVE: u64 = 1 << 30;

/// Processes that may use their credits up at the same time.
const PROCESSES: u64 = 8;

/// Nobody grows in smaller steps, or it would look all the time.
const LEAST_CREDIT: u64 = 2 << 20;

/// Two of them take so much in a second.
const FAST_GROWTH: u64 = 1 << 30;

/// Most bytes by which a process that shares grows with each look while nearly nothing is left to take.
const MOST_STEP: u64 = 2 << 20;

/// Most bytes that are free below a limit because the evictor works between two marks.
const MARKS: u64 = 24 << 20;

impl Place {
    /// Bytes that should always be free for others: a 32nd of the limit. Programs grow as fast under a small limit, so there
    /// it is up to an eighth. Under a large one it has a maximum.
    pub fn reserve(self) -> u64 {
        (self.limit / 32).min(MOST_RESERVE).max((self.limit / 8).min(BURST))
    }

    /// With so many bytes free, nobody has to give more, since others grow only [beyond the reserve](Self::is_open).
    fn enough(self) -> u64 {
        self.reserve() / 4 * 5
    }

    /// Whether others have more than a host overlooks: a shell that waits is nobody to share with.
    pub fn is_shared(self) -> bool {
        self.others > self.limit / 64
    }

    /// Most bytes by which a process grows before it looks again. One that has seen nobody else looks less often.
    pub fn credit(self) -> u64 {
        let credit = self.reserve() / PROCESSES;
        (if self.is_shared() { credit } else { 2 * credit }).max(LEAST_CREDIT)
    }

    /// Whether more is free than the reserve, or nobody else is there to want it.
    pub fn is_open(self) -> bool {
        !self.is_shared() || self.available > self.reserve()
    }

    /// Whether it may be used up within a second.
    pub fn is_near(self) -> bool {
        self.available < (self.limit / 4).max(FAST_GROWTH)
    }

    fn surplus(self) -> u64 {
        self.available.saturating_sub(self.reserve())
    }
}

/// By how much a process may grow until it looks again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// Whether a credit is granted.
    pub is_open: bool,
    /// In bytes.
    pub credit: u64,
}

impl Growth {
    /// In all of these places.
    pub fn within(places: &[Place]) -> Self {
        let credit = places.iter().map(|place| place.credit()).min();
        Self { is_open: places.iter().all(|place| place.is_open()), credit: credit.unwrap_or(u64::MAX) }
    }

    /// The same where `free` bytes are left beside what others were promised. At least as much stays.
    pub fn beside_promises(self, free: u64) -> Self {
        Self { is_open: self.is_open && free > 0, credit: self.credit.min(free / 2) }
    }

    /// Most bytes of a process that has `held` now. Until now it might have had `before`.
    pub fn ceiling(self, before: u64, held: u64) -> u64 {
        let max = held.saturating_add(self.credit);
        if self.is_open { max } else { self.lowered(before, held) }
    }

    /// The same without a look. Others may take the memory that was given back, so that a credit is all that may come again, or
    /// the steps between the evictor's marks. It would else go on to evict, as the marks went down with what is held.
    pub fn lowered(self, before: u64, held: u64) -> u64 {
        before.min(held.saturating_add(self.credit.max(LEAST_STEPS)))
    }
}

/// The place that has least to spare, of those that are shared and may be used up soon.
pub fn tightest(places: &[Place]) -> Option<Place> {
    let shared = places.iter().copied().filter(|place| place.is_shared() && place.is_near());
    shared.min_by_key(|place| (Reverse(place.reserve().saturating_sub(place.available)), place.surplus()))
}

/// Its memory from one look to the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sharing {
    /// As of [`Share::max`], if that is less than the budget.
    max: Option<u64>,
    /// Something was given back since the last reason, and before that one.
    gave: bool,
    gave_before: bool,
}

impl Sharing {
    /// The part that the process is to have, now that `place` is the [`tightest`] of those that it shares.
    pub fn decide(&mut self, place: Option<Place>, own: Own) -> Share {
        self.max = place.map(|place| self.next(place, own)).filter(|&max| max < own.budget);
        let (Some(max), Some(place)) = (self.max, place) else { return Share::ALL };
        // Half of what can be had, as another process may see the same at the same time.
        let spare = place.available.saturating_sub(place.reserve() / 2) / 2;
        Share { max, admits: max.max(own.held + spare) }
    }

    fn next(&mut self, place: Place, Own { budget, held, fixed }: Own) -> u64 {
        let max = self.max.unwrap_or(u64::MAX);
        let in_use = held + (held / 7).min(MARKS);
        // Bytes that it has decided to give, and has not given yet.
        let coming = held.saturating_sub(max);
        let lacking = place.enough().saturating_sub(place.available + coming);
        let surplus = place.surplus();
        let next = if lacking > 0 {
            self.gave = true;
            // Less would help nobody: the process would have left to others all that they have, and the reserve.
            let helpful = budget.saturating_sub(place.others + 2 * place.reserve());
            let from = held.min(max);
            max.min(in_use).saturating_sub(part(from, lacking)).max(helpful.min(from))
        } else if surplus > 0 {
            let step = (surplus / 32).max((place.limit / 1024).min(MOST_STEP));
            // Others grow at the same time.
            max.saturating_add(step).min(in_use + (surplus / 8).max(step))
        } else {
            max
        };
        next.max(fixed)
    }

    /// The change since this was last asked.
    pub fn reason(&mut self) -> Reason {
        let gave = std::mem::take(&mut self.gave);
        match (std::mem::replace(&mut self.gave_before, gave), gave) {
            (_, true) => Reason::Crowded,
            (true, false) => Reason::Roomy,
            (false, false) => Reason::Calm,
        }
    }
}

/// Bytes to give of `held` bytes where `lacking` are missing: a part of it, and not much more than that.
fn part(held: u64, lacking: u64) -> u64 {
    (held / 16).max(lacking.min(held / 4))
}

#[cfg(test)]
mod tests;
