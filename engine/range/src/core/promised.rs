//! Memory beside the range that was promised to threads: [`Promises`] as they are shared by all of them.

use std::time::Duration;

use ztera_policy::promises::Promises;
use ztera_policy::sharing::Place;
use ztera_sync::atomic::{AtomicU64, Ordering};
use ztera_sync::time::Instant;
use ztera_sync::{Mutex, Rank};

/// Open promises, and the bytes that may be promised without a look.
#[derive(Debug)]
pub(crate) struct Promised {
    /// Held by whoever looks.
    rules: Mutex<Promises>,
    /// Bytes that may be promised before the next look.
    granted: AtomicU64,
    /// Bytes of promises that were given back since the last look.
    freed: AtomicU64,
    lacking: AtomicU64,
    start: Instant,
}

/// The result of a look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// Promised memory does not count as available here.
    pub places: Vec<Place>,
    pub shortage: Shortage,
}

/// Bytes that have to become free for what is promised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shortage {
    /// With a little slack, and free without the kernel taking what lingers.
    pub lacking: u64,
    /// Of these, bytes that the kernel could not take either: somebody would be killed.
    pub short: u64,
}

impl Default for Promised {
    fn default() -> Self {
        Self {
            rules: Mutex::ranked(Rank::Promises, Promises::default()),
            granted: AtomicU64::new(0),
            freed: AtomicU64::new(0),
            lacking: AtomicU64::new(0),
            start: Instant::now(),
        }
    }
}

impl Promised {
    /// Promises `bytes` if the last look has left so much.
    pub fn take(&self, bytes: u64) -> bool {
        let less = |granted: u64| granted.checked_sub(bytes);
        self.granted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }

    /// `bytes` that were promised are free again.
    pub fn free(&self, bytes: u64) {
        self.freed.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Bytes that have to become free, as the last look has shown.
    pub fn lacking(&self) -> u64 {
        self.lacking.load(Ordering::Relaxed)
    }

    /// Looks by `read`, which tells places, and the bytes that the range uses of them beside what lingers. Then `wanted` bytes
    /// are promised. Of what is free beside all promises, the range takes what `take` says before anybody else looks, and the
    /// rest may be promised.
    pub fn look(
        &self,
        wanted: u64,
        read: impl FnOnce() -> (Vec<Place>, u64),
        take: impl FnOnce(&[Place], u64) -> u64,
    ) -> Seen {
        let mut rules = self.rules.lock();
        let left = self.granted.swap(0, Ordering::Relaxed);
        let freed = self.freed.swap(0, Ordering::Relaxed);
        let (mut places, plain) = read();
        let now: Duration = self.start.elapsed();
        rules.look(&places, plain, left, freed, now);
        rules.make(wanted, now);
        let shortage = Shortage { lacking: rules.lacking(&places), short: rules.short(&places) };
        let (promised, free) = (rules.bytes(), rules.free(&places));
        // Slack that is lacking beside no promise is nobody's.
        let owed = if promised > 0 { shortage.lacking } else { 0 };
        self.lacking.store(owed, Ordering::Relaxed);
        places.iter_mut().for_each(|place| place.available = place.available.saturating_sub(promised));
        let granted = free - take(&places, free).min(free);
        rules.grant(granted);
        self.granted.store(granted, Ordering::Relaxed);
        Seen { places, shortage }
    }
}
