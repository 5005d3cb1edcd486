//! How much memory the kernel should be able to take by itself. Pure decisions over numbers; the range's governor carries
//! them out.
//!
//! Memory beside the heap (buffers, mapped files, children) grows without asking. Where a cgroup has nothing left that the
//! kernel can reclaim, a process is killed, however soon threads would have made room. So there should always be some
//! memory that the kernel can have in the middle of an allocation: free memory, pages of files, and units that
//! [linger](Place::lingering), which stay readable until then. That is not idle, so it may be a good part of all.
//!
//! It costs where units are written: a unit that lingers and is written to has to be decoded first. So the part shrinks
//! while many are, and grows again while few are. And it costs where there is an SSD: only pages can linger, so the pool
//! leaves them half as much. Once something has grown beside the heap it leaves all of it, and less with each quiet minute.
//! And more is offered for some seconds when somebody is expected to come, as a child process that starts.

use crate::sharing::Place;

/// The kernel can take so much for a burst, if it is a quarter of the memory. While that lasts, more units are offered.
const MOST: u64 = 1 << 30;

/// Its parts.
const FULL: u64 = 16;

/// The wanted amount, from one look to the next.
#[derive(Clone, Copy, Debug)]
pub struct Spare {
    /// Sixteenths of the most.
    part: u64,
    /// Seconds since somebody took half of it.
    quiet: u64,
    /// Seconds for which as much again is wanted, as somebody is about to come who cannot ask.
    expecting: u64,
    /// Less than half of it was left at the last look.
    is_low: bool,
}

impl Default for Spare {
    fn default() -> Self {
        Self { part: FULL, quiet: STEPS * QUIET, expecting: 0, is_low: false }
    }
}

/// After so many quiet seconds, the pool leaves pages a 32nd less, until it is half as much. It begins with that.
const QUIET: u64 = 60;
const STEPS: u64 = 16;

/// Somebody who is expected comes within so many seconds.
const EXPECTED: u64 = 5;

impl Spare {
    /// Somebody is about to need memory who cannot ask for it, such as a child process.
    pub fn expect(&mut self) {
        self.expecting = EXPECTED;
    }

    /// Bytes that the kernel should be able to have of `place`: a quarter of it if that costs nothing.
    fn wanted(self, place: Place) -> u64 {
        let usual = self.usual(place);
        if self.expecting > 0 { 2 * usual } else { usual }
    }

    fn usual(self, place: Place) -> u64 {
        let most = (place.limit / 4).min(MOST);
        (most / FULL * self.part).max(place.reserve())
    }

    /// Bytes that should linger of a process of which `lingering` bytes do, as far as it knows: so much that all `places` have
    /// what is wanted. If the kernel has just taken some of it, as much again may be wanted before the next look.
    pub fn target(self, places: &[Place], lingering: u64) -> u64 {
        let of = |place: &Place| {
            let there = place.available + place.lingering;
            let taken = lingering.saturating_sub(place.lingering);
            (lingering + self.wanted(*place) + taken).saturating_sub(there)
        };
        places.iter().map(of).max().unwrap_or(0)
    }

    /// Bytes that the pool leaves to pages where there is an SSD, so that as much can linger.
    pub fn kept_from_pool(self, places: &[Place]) -> u64 {
        let of = |place: &Place| {
            let most = (place.limit / 4).min(MOST);
            (most - most / 32 * (self.quiet / QUIET).min(STEPS)).max(place.reserve())
        };
        // The machine's counts only where it is near.
        places.iter().filter(|place| place.is_near()).map(of).min().unwrap_or(0)
    }

    /// With each look: notes whether somebody has just taken much. Then as much may come again, and faster than units are
    /// offered in place of what was taken: so more is offered ahead.
    pub fn look(&mut self, places: &[Place]) {
        let is_taken = |place: &Place| place.available + place.lingering < self.usual(*place) / 2;
        let is_low = places.iter().any(is_taken);
        if is_low {
            self.quiet = 0;
        }
        if is_low && !std::mem::replace(&mut self.is_low, is_low) {
            self.expect();
        }
        self.is_low = is_low;
    }

    /// Once per second: since the last time, `returned` bytes were written to while they lingered, and decoded for that.
    pub fn learn(&mut self, places: &[Place], returned: u64) {
        self.quiet += 1;
        self.expecting = self.expecting.saturating_sub(1);
        let wanted = places.iter().map(|&place| self.usual(place)).max().unwrap_or(0);
        if returned > wanted / 16 {
            self.part -= self.part.div_ceil(4).min(self.part);
        } else if returned <= wanted / 64 {
            self.part = (self.part + 1).min(FULL);
        }
    }
}

/// Whether units are worth storing so that they can linger: what hardly compresses would be in memory twice. Objects of
/// `pooled` bytes take so many bytes, without what lies between a few of them in chunks.
pub fn stores_pay(objects: u64, pooled: u64, has_ssd: bool) -> bool {
    has_ssd || objects <= pooled / 4 * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: u64 = 1 << 20;
    const PLACE: Place = Place { limit: 512 * M, available: 0, lingering: 0, others: 0 };

    fn target(places: &[Place], lingering: u64) -> u64 {
        Spare::default().target(places, lingering * M) / M
    }

    #[test]
    fn a_quarter_can_be_had() {
        assert_eq!(target(&[PLACE], 0), 128);
        assert_eq!(target(&[Place { available: 28 * M, ..PLACE }], 0), 100, "free memory counts");
        assert_eq!(target(&[Place { lingering: 28 * M, ..PLACE }], 0), 100, "so does what others offer");
        assert_eq!(target(&[Place { lingering: 100 * M, ..PLACE }], 100), 128, "and what it offers itself");
        assert_eq!(target(&[Place { available: 200 * M, ..PLACE }], 0), 0);
        assert_eq!(
            target(&[Place { available: 100 * M, lingering: 60 * M, ..PLACE }], 60),
            28,
            "no more than needed"
        );
        assert_eq!(
            target(&[Place { limit: 64 << 30, ..PLACE }], 0),
            1024,
            "a large memory is not taken faster"
        );
        assert_eq!(target(&[], 7), 0);
    }

    #[test]
    fn what_the_kernel_took_is_offered_anew() {
        // 96 of 128 MiB are gone, which the process does not know yet.
        assert_eq!(target(&[Place { lingering: 32 * M, ..PLACE }], 128), 224 + 96, "and as much again");
    }

    #[test]
    fn twice_as_much_is_offered_to_who_is_expected() {
        let mut spare = Spare::default();
        spare.expect();
        (0..EXPECTED).for_each(|_| {
            assert_eq!(spare.target(&[PLACE], 0), 256 * M);
            spare.learn(&[PLACE], 0);
        });
        assert_eq!(spare.target(&[PLACE], 0), 128 * M, "nobody came");
    }

    #[test]
    fn while_much_is_taken_more_is_offered_ahead() {
        let mut spare = Spare::default();
        let [most, half] = [[Place { lingering: 65 * M, ..PLACE }], [Place { lingering: 63 * M, ..PLACE }]];
        spare.look(&most);
        assert_eq!(spare.target(&most, 65 * M), 128 * M);
        spare.look(&half);
        assert_eq!(spare.target(&half, 63 * M), 256 * M);
        (0..EXPECTED).for_each(|_| spare.learn(&half, 0));
        spare.look(&half);
        assert_eq!(spare.target(&half, 63 * M), 128 * M, "no more can be offered");
    }

    #[test]
    fn each_place_has_enough() {
        let machine = Place { limit: 4096 * M, available: 3000 * M, ..PLACE };
        assert_eq!(target(&[PLACE, machine], 0), 128);
        assert_eq!(
            target(&[Place { available: 128 * M, ..PLACE }, Place { available: 0, ..machine }], 0),
            1024
        );
    }

    #[test]
    fn where_much_is_written_less_lingers() {
        let mut spare = Spare::default();
        let places = [PLACE];
        (0..20).for_each(|_| spare.learn(&places, 100 * M));
        assert_eq!(spare.target(&places, 0), PLACE.reserve(), "but never less than a reserve");
        (0..5).for_each(|_| spare.learn(&places, 2 * M));
        assert_eq!(spare.target(&places, 0), PLACE.reserve(), "some are still written to");
        (0..16).for_each(|_| spare.learn(&places, 0));
        assert_eq!(spare.target(&places, 0), 128 * M);
    }

    #[test]
    fn the_pool_leaves_pages_less_the_longer_it_is_quiet() {
        let (mut spare, places) = (Spare::default(), [PLACE]);
        assert_eq!(spare.kept_from_pool(&places), 64 * M, "nothing was taken so far");
        assert_eq!(
            spare.kept_from_pool(&[Place { limit: 64 << 30, available: 60 << 30, ..PLACE }]),
            0,
            "there is plenty"
        );
        spare.look(&[Place { available: 64 * M, ..PLACE }]);
        assert_eq!(spare.kept_from_pool(&places), 64 * M, "little was taken");
        spare.look(&[Place { available: 30 * M, lingering: 30 * M, ..PLACE }]);
        assert_eq!(spare.kept_from_pool(&places), 128 * M);
        (0..8 * 60).for_each(|_| spare.learn(&places, 0));
        assert_eq!(spare.kept_from_pool(&places), 96 * M);
        (0..3600).for_each(|_| spare.learn(&places, 0));
        assert_eq!(spare.kept_from_pool(&places), 64 * M);
    }

    #[test]
    fn what_hardly_compresses_is_not_stored_for_that() {
        assert!(stores_pay(0, 0, false), "nothing is known yet");
        assert!(stores_pay(75, 100, false) && !stores_pay(76, 100, false));
        assert!(stores_pay(100, 100, true));
    }
}
