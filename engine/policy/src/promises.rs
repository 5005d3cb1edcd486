//! Memory that was promised to threads which are about to touch it. Pure decisions over numbers; the range looks at what is
//! used, and makes room.
//!
//! A thread that allocates memory beside the range gets it from the kernel at once, and touches it a moment later. Threads
//! that allocate at the same time must not all count on the same free memory. So what one was given room for is a promise.
//! It ends when the use of memory shows it, the oldest first, or when it is old: then it may never be touched.

use std::collections::VecDeque;
use std::time::Duration;

use crate::sharing::Place;

/// Memory that was not touched for so long is not waited for. A thread may get no CPU for seconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// Most bytes that stay free beside what is promised: what allocators and the kernel take for themselves.
const MOST_SLACK: u64 = 8 << 20;

/// All promises that are open.
#[derive(Clone, Debug, Default)]
pub struct Promises {
    open: VecDeque<Promise>,
    /// Bytes of all of them.
    bytes: u64,
    /// Bytes used beside the range once all are kept, and at the last look.
    expected: u64,
    beside: u64,
    /// Of the place that was looked at: the tightest.
    limit: u64,
    /// Bytes that may be promised before the next look.
    granted: u64,
}

#[derive(Clone, Copy, Debug)]
struct Promise {
    bytes: u64,
    until: Duration,
}

impl Promises {
    /// Bytes that are promised.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Another one, at `now`. Nobody can be promised more than half of all.
    pub fn make(&mut self, bytes: u64, now: Duration) {
        let bytes = if self.limit == 0 { bytes } else { bytes.min(self.limit / 2) };
        if bytes == 0 {
            return;
        }
        if self.open.is_empty() {
            self.expected = self.beside;
        }
        self.open.push_back(Promise { bytes, until: now + PATIENCE });
        self.bytes += bytes;
        self.expected += bytes;
    }

    /// At `now` there are `places`, of which the range uses `plain` bytes beside what lingers. Since the last time, of what
    /// was granted `left` bytes were not promised, and `freed` bytes of what was promised before were given back.
    pub fn look(&mut self, places: &[Place], plain: u64, left: u64, freed: u64, now: Duration) {
        let used = std::mem::take(&mut self.granted).saturating_sub(left);
        self.make(used, now);
        self.expected = self.expected.saturating_sub(freed);
        let Some(place) = tightest(places) else { return };
        self.beside = place.limit.saturating_sub(place.available + place.lingering + plain);
        if place.limit != self.limit {
            self.limit = place.limit;
            self.expected = self.beside + self.bytes;
        }
        self.end(self.expected.saturating_sub(self.beside));
        while self.open.front().is_some_and(|promise| promise.until <= now) {
            let old = self.open.pop_front().map_or(0, |promise| promise.bytes);
            self.bytes -= old;
            self.expected = self.expected.saturating_sub(old).max(self.beside);
        }
    }

    /// Ends the oldest ones: only `left` bytes of all are still to come.
    fn end(&mut self, left: u64) {
        while self.bytes > left {
            let Some(oldest) = self.open.front_mut() else { return };
            let kept = oldest.bytes.min(self.bytes - left);
            oldest.bytes -= kept;
            self.bytes -= kept;
            if oldest.bytes == 0 {
                self.open.pop_front();
            }
        }
    }

    /// Bytes that have to become free in one of `places` before nobody who was promised memory lacks some.
    pub fn lacking(&self, places: &[Place]) -> u64 {
        let of = |place: &Place| (self.bytes + slack(place)).saturating_sub(place.available);
        places.iter().map(of).max().unwrap_or(0)
    }

    /// Of these, what the kernel could not take by itself either. Half of the slack is kept for faults: they take a page
    /// before they give one back.
    pub fn short(&self, places: &[Place]) -> u64 {
        let of =
            |place: &Place| (self.bytes + slack(place) / 2).saturating_sub(place.available + place.lingering);
        places.iter().map(of).max().unwrap_or(0)
    }

    /// Bytes that are free beside what is promised, but for the slack.
    pub fn free(&self, places: &[Place]) -> u64 {
        let of = |place: &Place| place.available.saturating_sub(self.bytes + slack(place));
        places.iter().map(of).min().unwrap_or(u64::MAX)
    }

    /// So many bytes may be promised before the next look.
    pub fn grant(&mut self, bytes: u64) {
        self.granted = bytes;
    }
}

/// The place that nobody can take much more of.
fn tightest(places: &[Place]) -> Option<&Place> {
    places.iter().min_by_key(|place| place.available + place.lingering)
}

/// Bytes that the kernel has taken of `lingering` bytes, as far as that can be seen: others' may linger, too.
pub fn taken(places: &[Place], lingering: u64) -> u64 {
    tightest(places).map_or(0, |place| lingering.saturating_sub(place.lingering))
}

fn slack(place: &Place) -> u64 {
    (place.limit / 64).min(MOST_SLACK)
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: u64 = 1 << 20;
    const LIMIT: u64 = 512 * M;

    /// A place with so many MiB free, and none that linger.
    fn free(mib: u64) -> [Place; 1] {
        [Place { limit: LIMIT, available: mib * M, lingering: 0, others: 0 }]
    }

    fn now(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// One who has looked at 100 MiB of free memory.
    fn promises() -> Promises {
        let mut promises = Promises::default();
        promises.look(&free(100), 300 * M, 0, 0, now(0));
        promises
    }

    #[test]
    fn two_do_not_count_on_the_same_memory() {
        let mut promises = promises();
        assert_eq!(promises.free(&free(100)), 92 * M, "but for the slack");
        promises.make(60 * M, now(0));
        assert_eq!((promises.lacking(&free(100)), promises.free(&free(100))), (0, 32 * M));
        promises.make(60 * M, now(0));
        assert_eq!((promises.lacking(&free(100)), promises.free(&free(100))), (28 * M, 0));
        assert_eq!(
            (promises.short(&free(100)), promises.short(&free(124))),
            (24 * M, 0),
            "but for half of it"
        );
    }

    #[test]
    fn what_was_granted_and_used_is_promised() {
        let mut promises = promises();
        promises.grant(92 * M);
        promises.look(&free(100), 300 * M, 32 * M, 0, now(1));
        assert_eq!(promises.bytes(), 60 * M, "nothing of it was touched");
        promises.grant(32 * M);
        promises.look(&free(30), 300 * M, 32 * M, 0, now(2));
        assert_eq!(promises.bytes(), 0, "all was");
    }

    #[test]
    fn use_ends_a_promise_and_room_that_is_made_does_not() {
        let mut promises = promises();
        promises.make(60 * M, now(0));
        promises.look(&free(140), 260 * M, 0, 0, now(1));
        assert_eq!(promises.bytes(), 60 * M, "the range gave 40 MiB");
        promises.look(&free(130), 260 * M, 0, 0, now(2));
        assert_eq!(promises.bytes(), 50 * M);
        let taken = [Place { lingering: 20 * M, ..free(130)[0] }];
        promises.look(&taken, 240 * M, 0, 0, now(3));
        assert_eq!(promises.bytes(), 50 * M, "what lingers is not used");
        promises.make(60 * M, now(3));
        promises.look(&free(40), 260 * M, 0, 0, now(4));
        assert_eq!(promises.bytes(), 20 * M);
    }

    #[test]
    fn what_nobody_touches_is_forgotten() {
        let mut promises = promises();
        promises.make(60 * M, now(0));
        promises.make(20 * M, now(500));
        promises.look(&free(90), 300 * M, 0, 0, now(600));
        assert_eq!(promises.bytes(), 70 * M);
        promises.look(&free(90), 300 * M, 0, 0, PATIENCE);
        assert_eq!(promises.bytes(), 20 * M, "the second may still come");
        promises.look(&free(75), 300 * M, 0, 0, PATIENCE + now(100));
        assert_eq!(promises.bytes(), 5 * M);
        promises.look(&free(75), 300 * M, 0, 0, PATIENCE + now(500));
        assert_eq!(promises.bytes(), 0);
    }

    #[test]
    fn buffers_that_come_and_go_are_not_summed_up() {
        let mut promises = promises();
        for i in 0..1000 {
            promises.make(10 * M, now(i));
            promises.look(&free(100), 300 * M, 0, 10 * M, now(i));
            assert_eq!(promises.bytes(), 0);
        }
    }

    #[test]
    fn each_place_has_to_have_it() {
        let mut promises = promises();
        promises.make(60 * M, now(0));
        let machine = Place { limit: 8192 * M, available: 10 * M, ..free(0)[0] };
        assert_eq!(promises.lacking(&[free(100)[0], machine]), 58 * M);
        assert_eq!(promises.lacking(&[]), 0);
        assert_eq!(promises.free(&[]), u64::MAX);
    }

    #[test]
    fn what_the_kernel_took_is_known_from_the_place() {
        let place = Place { lingering: 20 * M, ..free(0)[0] };
        assert_eq!((taken(&[place], 50 * M), taken(&[place], 10 * M), taken(&[], M)), (30 * M, 0, 0));
    }

    #[test]
    fn more_than_there_can_be_is_promised_to_nobody() {
        let mut promises = promises();
        promises.make(1 << 40, now(0));
        assert_eq!(promises.bytes(), LIMIT / 2);
        promises.look(&[Place { limit: 2 * LIMIT, ..free(0)[0] }], 0, 0, 0, now(1));
        assert_eq!(promises.bytes(), LIMIT / 2, "in a place of another limit all is still to come");
    }
}
