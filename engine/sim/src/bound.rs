//! The bound that no policy can beat, though it knew the future.
//!
//! Three numbers, each a lower bound by itself; no policy need reach all of them, or any of the last two.
//!
//! * Touches of what is not resident. Belady's MIN (IBM Systems Journal 5, 1966): of the resident units the one goes
//!   that is touched again last; here that may be the one that was touched just now. So many are needed, and enough,
//!   if units are brought in when they are touched, and not before.
//! * Reads from SSD: the larger of two bounds. One is MIN once more, with room for all that fits into memory and as many
//!   of the smallest units as fit into the pool. The other one is PFOO-L (Berger, Beckmann, Harchol-Balter, Practical
//!   bounds on optimal caching with variable object sizes, SIGMETRICS 2018): to keep a unit between two touches takes
//!   room for some time; of all room and time together the cheapest are paid first.
//! * Bytes written to SSD: what had no room elsewhere when most units had contents.

use std::collections::BTreeSet;

use ztera_store::UnitIndex;

use crate::replay::Limits;
use crate::trace::{Step, Trace};

/// Lower bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Touches of what is not resident.
    pub misses: u64,
    /// Reads from SSD.
    pub ssd_reads: u64,
    /// Compressed bytes written to SSD.
    pub written_bytes: u64,
}

impl Bound {
    /// Of all policies for `trace` that keep within `limits`.
    pub fn new(trace: &Trace, limits: Limits) -> Self {
        let resident = (limits.resident / trace.unit_len).max(1);
        let misses = min_misses(trace, resident, Submitted::Leaves);
        if limits.pool == 0 {
            return Self { misses, ssd_reads: 0, written_bytes: 0 };
        }
        let small = smallest(trace, limits.pool);
        let by_units = min_misses(trace, resident.saturating_add(small), Submitted::Stays);
        let by_bytes = cheapest_first(trace, resident, limits.pool);
        Self {
            misses,
            ssd_reads: by_units.max(by_bytes),
            written_bytes: least_written(trace, resident, limits.pool),
        }
    }
}

/// The fate of a unit that gets new contents past mapped memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Submitted {
    /// It is not resident any more.
    Leaves,
    /// It is in memory or in the pool.
    Stays,
}

const NEVER: usize = usize::MAX;

/// For each step the next one that wants what the unit has then; [`NEVER`] if none does.
fn next_touches(trace: &Trace, submitted: Submitted) -> Vec<usize> {
    let mut next = vec![NEVER; trace.steps.len()];
    let mut coming = vec![NEVER; trace.sizes.len()];
    for (now, &step) in trace.steps.iter().enumerate().rev() {
        match step {
            Step::Touch { unit, .. } => next[now] = std::mem::replace(&mut coming[unit.0 as usize], now),
            Step::Submit(unit) => {
                let wanted = std::mem::replace(&mut coming[unit.0 as usize], NEVER);
                next[now] = if submitted == Submitted::Stays { wanted } else { NEVER };
            }
            Step::Discard(unit) => coming[unit.0 as usize] = NEVER,
            Step::Epoch => {}
        }
    }
    next
}

/// Touches that find their unit missing, of those that want something: where `submitted` units stay, one without
/// contents is not missed.
fn min_misses(trace: &Trace, room: u64, submitted: Submitted) -> u64 {
    let next = next_touches(trace, submitted);
    let mut life = Life::new(trace);
    // Those that are kept, by when they are wanted. That tells which unit it is.
    let mut kept = BTreeSet::new();
    let mut misses = 0;
    for (now, &step) in trace.steps.iter().enumerate() {
        let exists = life.pass(step);
        if let Step::Touch { .. } = step {
            let hit = kept.remove(&now);
            misses += u64::from(!hit && (exists || submitted == Submitted::Leaves));
        }
        // Something replaced these contents, or ended them, so that they are not wanted: they are not kept anyway.
        if next[now] != NEVER {
            kept.insert(next[now]);
            if kept.len() as u64 > room {
                kept.pop_last();
            }
        }
    }
    misses
}

/// The units that have contents.
struct Life {
    live: Vec<bool>,
}

impl Life {
    fn new(trace: &Trace) -> Self {
        Self { live: vec![false; trace.sizes.len()] }
    }

    /// Whether the unit had contents before `step`, which is taken.
    fn pass(&mut self, step: Step) -> bool {
        let Some(unit) = step.unit() else { return false };
        let live = &mut self.live[unit.0 as usize];
        let before = *live;
        *live = match step {
            Step::Submit(_) | Step::Touch { write: true, .. } => true,
            Step::Discard(_) => false,
            _ => before,
        };
        before
    }
}

/// The most units that fit into the pool at once.
fn smallest(trace: &Trace, pool: u64) -> u64 {
    let mut used = vec![false; trace.sizes.len()];
    trace.steps.iter().filter_map(|step| step.unit()).for_each(|unit| used[unit.0 as usize] = true);
    let of_used = trace.sizes.iter().zip(&used).filter(|&(_, &used)| used);
    let mut sizes: Vec<u64> = of_used.map(|(&size, _)| size).collect();
    sizes.sort_unstable();
    let mut sum = 0;
    let fits = sizes.iter().take_while(|&&size| {
        sum += size;
        sum <= pool
    });
    fits.count() as u64
}

/// PFOO-L for memory and pool together. A unit in memory costs what a usual one costs in the pool: any price would
/// make a bound, as both are bought from one budget.
fn cheapest_first(trace: &Trace, resident: u64, pool: u64) -> u64 {
    let usual = usual_size(trace);
    let mut since: Vec<Option<usize>> = vec![None; trace.sizes.len()];
    let mut life = Life::new(trace);
    let (mut wanted, mut costs) = (0_u64, Vec::new());
    for (now, &step) in trace.steps.iter().enumerate() {
        let exists = life.pass(step);
        let Some(UnitIndex(unit)) = step.unit() else { continue };
        let before = since[unit as usize].replace(now);
        if let (Step::Touch { .. }, true, Some(before)) = (step, exists, before) {
            wanted += 1;
            let price = trace.sizes[unit as usize].min(usual);
            costs.push(u128::from(price) * (now - before) as u128);
        }
    }
    costs.sort_unstable();
    let room = u128::from(resident) * u128::from(usual) + u128::from(pool);
    let mut left = room * trace.steps.len() as u128;
    let paid = costs.iter().take_while(|&&cost| {
        let enough = cost <= left;
        left = left.saturating_sub(cost);
        enough
    });
    wanted - paid.count() as u64
}

fn usual_size(trace: &Trace) -> u64 {
    let most = trace.footprint();
    most.compressed.checked_div(most.units).unwrap_or(0)
}

fn least_written(trace: &Trace, resident: u64, pool: u64) -> u64 {
    let largest = trace.sizes.iter().copied().max().unwrap_or(0);
    trace.footprint().compressed.saturating_sub(pool).saturating_sub(resident.saturating_mul(largest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touches(units: &[u32]) -> Vec<Step> {
        units.iter().map(|&unit| Step::Touch { unit: UnitIndex(unit), write: false }).collect()
    }

    fn trace(steps: Vec<Step>) -> Trace {
        Trace { unit_len: 4096, sizes: vec![1000; 20], steps }
    }

    fn submits(units: std::ops::Range<u32>) -> impl Iterator<Item = Step> {
        units.map(|unit| Step::Submit(UnitIndex(unit)))
    }

    fn bound(trace: &Trace, resident: u64, pool: u64) -> Bound {
        Bound::new(trace, Limits { resident: resident * 4096, pool })
    }

    /// The least misses of all ways to choose who stays.
    fn by_trying(units: &[u32], kept: u32, room: u32) -> u64 {
        let Some((&unit, rest)) = units.split_first() else { return 0 };
        let (miss, kept) = (u64::from(kept & 1 << unit == 0), kept | 1 << unit);
        let go = |kept| by_trying(rest, kept, room);
        let fewer = || (0..6).filter(|gone| kept & 1 << gone != 0).map(|gone| go(kept & !(1 << gone))).min();
        miss + if kept.count_ones() <= room { go(kept) } else { fewer().expect("somebody goes") }
    }

    proptest::proptest! {
        #[test]
        fn nothing_that_can_be_tried_is_better(
            units in proptest::collection::vec(0..6_u32, 0..12),
            room in 1..4_u32,
        ) {
            let bound = bound(&trace(touches(&units)), room.into(), 0);
            proptest::prop_assert_eq!(bound.misses, by_trying(&units, 0, room));
        }
    }

    #[test]
    fn nothing_is_read_that_has_no_contents() {
        let trace = trace(touches(&[7, 0, 1, 2, 0, 3, 0, 4, 2, 3, 0, 3, 2, 1, 2, 0, 1, 7, 0, 1]));
        assert_eq!(bound(&trace, 20, 0).misses, 6);
        assert_eq!(bound(&trace, 3, 4000).ssd_reads, 0);
    }

    #[test]
    fn what_fits_into_memory_and_pool_is_not_read() {
        let steps: Vec<_> =
            submits(0..10).chain((0..5).flat_map(|_| touches(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))).collect();
        let trace = trace(steps);
        assert_eq!(bound(&trace, 2, 8000).ssd_reads, 0);
        let tight = bound(&trace, 2, 6000);
        assert!((5..=20).contains(&tight.ssd_reads), "{tight:?}");
        assert_eq!(tight.written_bytes, 2000);
        assert_eq!(tight.misses, 10 + 4 * 8, "two stay");
    }

    #[test]
    fn what_was_replaced_is_not_kept() {
        let again = touches(&[0]).into_iter().chain(submits(0..1)).chain(touches(&[0]));
        assert_eq!(bound(&trace(again.collect()), 5, 0).misses, 2);
        let gone = [Step::Submit(UnitIndex(0)), Step::Discard(UnitIndex(0))].into_iter().chain(touches(&[0]));
        assert_eq!(bound(&trace(gone.collect()), 1, 16 * 4096).ssd_reads, 0);
    }
}
