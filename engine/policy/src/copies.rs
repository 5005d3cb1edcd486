//! The units that are worth a compressed object: beside their page it makes eviction a drop and costs memory meanwhile, and
//! in the pool it takes room that others would use better.

use crate::eviction::step;
use crate::prices::Prices;

/// Whether compression saves enough of a unit of `unit_len` bytes for an object of `stored` bytes: a quarter. Kept beside
/// their pages, other data would take nearly twice what they take plain; where there is an SSD, they go there.
pub fn is_worth_keeping(stored: u64, unit_len: u64) -> bool {
    stored <= unit_len / 4 * 3
}

/// Whether what keeps coming back gives its copy up. `data` bytes, all there are, take `share` thousandths when they are
/// stored, and there is a budget of `budget` bytes.
///
/// With copies, pages have what all objects leave: the data that are not resident are what is beyond the budget, and as
/// much as the objects take. Each miss is a fault, and pages leave for nothing. Without, only what is not resident takes
/// room in the pool. There are fewer misses, but some have another unit stored anew: one in `misses_per_store`. Copies go
/// where that is cheaper, if all units are touched alike.
pub fn are_given_up(data: u64, budget: u64, share: u64, prices: Prices, misses_per_store: u64) -> bool {
    let Prices { fault, store } = prices;
    // In thousandths: a store never costs less than a fault, or many times more, whatever a busy machine measures.
    let miss = 1000 + (store * 1000 / fault.max(1)).clamp(1000, 8000) / misses_per_store;
    let share = share.min(999);
    let [data, budget, share, miss] = [data, budget, share, miss].map(u128::from);
    let beyond = data.saturating_sub(budget);
    let with = beyond * 1000 + data * share;
    let without = beyond * miss * 1000 / (1000 - share);
    without < with
}

/// Misses for each unit that is stored, where units that come back cycle: fewer than reads of single values had (7 to 20, by
/// `point_reads` with memory for 77 to 98 of 100).
pub const CYCLING_MISSES_PER_STORE: u64 = 8;

/// Whether `data` bytes, all there are, fit plain into memory that may have `limit` bytes of units while the pool has
/// none: then a unit that becomes resident needs no copy. The evictor keeps units two [steps](step) below the limit; a third
/// one is for chunks of the pool that hold little.
pub fn all_fit_plain(data: u64, limit: u64) -> bool {
    data <= limit - 3 * step(limit)
}

/// Whether so many of `data` bytes, all there are, fit plain into such memory that few have to be compressed: then it matters
/// more that they come and go fast than that they are small. Of 17 bytes all but one fit.
pub fn most_fit_plain(data: u64, limit: u64) -> bool {
    data <= limit.saturating_add(limit / 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_plain_leaves_room_for_the_marks() {
        assert!(all_fit_plain(725, 800) && !all_fit_plain(726, 800));
        let [data, limit] = [797, 800].map(|mib: u64| mib << 20);
        assert!(all_fit_plain(data, limit) && !all_fit_plain(data + 1, limit), "of much they take little");
    }

    #[test]
    fn most_fit_where_a_seventeenth_does_not() {
        assert!(most_fit_plain(1700, 1600) && !most_fit_plain(1701, 1600));
        assert!(most_fit_plain(u64::MAX, u64::MAX) && !most_fit_plain(1, 0));
    }

    #[test]
    fn copies_go_where_that_saves_more_than_it_costs() {
        let lz4 = Prices { fault: 8_000, store: 16_000 };
        let gives_up = |data: u64, share, prices| are_given_up(data * 1000, 1_000_000, share, prices, 1);
        assert!(gives_up(900, 500, lz4) && gives_up(1000, 500, lz4), "they fit plain");
        assert!(gives_up(1100, 500, lz4) && !gives_up(1150, 500, lz4), "half is saved");
        assert!(gives_up(1050, 200, lz4) && !gives_up(1100, 200, lz4), "copies are small");
        let cheap = Prices { fault: 8_000, store: 8_000 };
        assert!(gives_up(1150, 500, cheap) && !gives_up(1250, 500, cheap), "stores cost less");
        assert!(!gives_up(1250, 500, Prices { fault: 8_000, store: 1 }), "or seem to");
        assert!(!gives_up(1060, 500, Prices { fault: 8_000, store: 40_000 }), "stores cost more");
        let cycling = |data: u64| are_given_up(data * 1000, 1_000_000, 500, lz4, CYCLING_MISSES_PER_STORE);
        assert!(cycling(1490) && !cycling(1510), "few are stored");
        assert!(!are_given_up(u64::MAX / 2000, 1, 1000, lz4, 1) && !are_given_up(0, 0, 0, lz4, 1));
    }

    #[test]
    fn a_quarter_must_be_saved() {
        assert!(is_worth_keeping(3072, 4096) && is_worth_keeping(0, 4096));
        assert!(!is_worth_keeping(3073, 4096) && !is_worth_keeping(4096, 4096));
    }
}
