//! Readers and where they read on, and whether clusters come as a whole: told apart by place, so that threads that fault at the
//! same time do not wait for each other.

use ztera_policy::clustering::{self, ClusterLen, Clustering, Estimate, REGION};
use ztera_policy::readahead::{ReadAhead, Wanted, Windows};
use ztera_store::{UnitIndex, Units};
use ztera_sync::Mutex;

/// Locks at most: what is known of a region's readers is under one of them, and regions share them.
const MOST_LOCKS: u32 = 16;

/// The range that they read, and what one knows of it at first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadersConfig {
    pub units: u32,
    pub windows: Windows,
    pub clusters: ClusterLen,
    /// Whether clusters are used together, and written to together, as far as one knows at first.
    pub come: Estimate,
    pub written: Estimate,
}

/// A fault, as far as it tells what will be wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub unit: UnitIndex,
    /// If the unit has to come: others of its cluster that could come with it.
    pub out: Option<u32>,
    /// If it is written to: others of its cluster that could become writable with it.
    pub clean: Option<u32>,
    /// Evictions so far, and units that memory has room for.
    pub now: u64,
    pub limit: u64,
}

/// The readers of a range.
#[derive(Debug)]
pub(crate) struct Readers {
    parts: Box<[Part]>,
    config: ReadersConfig,
}

/// On cache lines of its own.
#[derive(Debug)]
#[repr(align(64))]
struct Part(Mutex<Known>);

/// Knowledge of some regions.
#[derive(Debug)]
struct Known {
    readers: ReadAhead,
    /// Whether clusters come as a whole, and are written to as a whole.
    come: Clustering,
    written: Clustering,
}

impl Readers {
    /// Of a range that nobody has read yet.
    pub fn new(config: ReadersConfig) -> Self {
        let ReadersConfig { units, windows, clusters, come, written } = config;
        let regions = units.div_ceil(REGION);
        let parts = regions.clamp(1, MOST_LOCKS);
        let clustering = |first| Clustering::new(clusters, regions.div_ceil(parts) as usize, first);
        let readers = || ReadAhead::new(windows, units, clusters);
        let known = || Known { readers: readers(), come: clustering(come), written: clustering(written) };
        Self { parts: (0..parts).map(|_| Part(Mutex::new(known()))).collect(), config }
    }

    /// The units that may come with `unit`, and itself.
    pub fn cluster_of(&self, unit: UnitIndex) -> Units {
        self.config.clusters.around(unit, self.config.units)
    }

    /// Units in a cluster.
    pub fn cluster_len(&self) -> usize {
        self.config.clusters.units() as usize
    }

    /// Notes a fault. Where another thread is at it, this one goes on as if it were nobody's: it may lose a window, which a
    /// reader makes good with its next fault, or come alone.
    pub fn after(&self, fault: Seen) -> Wanted {
        let Seen { unit, out, clean, now, limit } = fault;
        let region = unit.0 / REGION;
        let Some(mut here) = self.part(region).0.try_lock() else {
            return Wanted::nothing(unit, self.config.units);
        };
        // A reader that comes over from the region before is known there.
        let is_near = unit.0 % REGION < REGION / 4;
        if let Some(before) = region.checked_sub(1).filter(|_| is_near && !here.readers.knows(unit))
            && let Some(reader) =
                self.part(before).0.try_lock().and_then(|mut there| there.readers.give_away(unit))
        {
            here.readers.adopt(reader);
        }
        let expected = here.readers.knows(unit);
        let region = region as usize / self.parts.len();
        let of = |out, expected| clustering::Fault { unit, region, out, now, limit, expected };
        let cluster = self.cluster_of(unit);
        let wanted = match out.is_some_and(|out| here.come.after(of(out, expected))) {
            true => here.readers.after_with(unit, cluster),
            false => here.readers.after(unit),
        };
        let all_written = clean.is_some_and(|clean| here.written.after(of(clean, false)));
        Wanted { writable: if all_written { cluster } else { wanted.writable }, ..wanted }
    }

    fn part(&self, region: u32) -> &Part {
        &self.parts[region as usize % self.parts.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOWS: Windows = Windows { most: 64, proof: 0 };

    fn four() -> ClusterLen {
        ClusterLen::of(4096, 0)
    }

    fn config(units: u32, clusters: ClusterLen, come: Estimate) -> ReadersConfig {
        ReadersConfig { units, windows: WINDOWS, clusters, come, written: Estimate::UNKNOWN }
    }

    fn seen(unit: UnitIndex) -> Seen {
        Seen { unit, out: Some(3), clean: None, now: 0, limit: 0 }
    }

    #[test]
    fn readers_go_on_from_one_region_to_the_next() {
        let (one, many) = (
            &mut ReadAhead::new(WINDOWS, 1 << 20, ClusterLen::ONE),
            Readers::new(config(1 << 20, ClusterLen::ONE, Estimate::UNKNOWN)),
        );
        let mut fault = UnitIndex(REGION - 40);
        while fault.0 < 40 * REGION {
            let wanted = many.after(seen(fault));
            assert_eq!(wanted, one.after(fault), "at {}", fault.0);
            // The first unit of a window is not read ahead.
            let first = wanted.ahead.first.0;
            fault = UnitIndex(if wanted.ahead.count() == 0 { fault.0 + 1 } else { first - 1 });
        }
    }

    #[test]
    fn readers_that_meet_read_nothing_ahead() {
        let readers = Readers::new(config(1000, four(), Estimate::TOGETHER));
        assert_eq!(readers.after(seen(UnitIndex(998))).with.count(), 4);
        let other = readers.part(0).0.lock();
        assert_eq!(readers.after(seen(UnitIndex(999))), Wanted::nothing(UnitIndex(999), 1000));
        drop(other);
        assert_eq!(readers.after(seen(UnitIndex(500))).ahead.count(), 0);
        assert_eq!(readers.after(seen(UnitIndex(504))).ahead.count(), 7);
    }

    #[test]
    fn writes_count_apart() {
        let readers = Readers::new(config(1000, four(), Estimate::UNKNOWN));
        let write = |unit| readers.after(Seen { out: None, clean: Some(3), ..seen(UnitIndex(unit)) });
        (0..9).for_each(|cluster| [0, 2].into_iter().for_each(|unit| _ = write(40 * cluster + unit)));
        let writable = |wanted: Wanted| (wanted.with.count(), wanted.writable.count());
        assert_eq!(writable(write(500)), (1, 4));
        assert_eq!(writable(readers.after(seen(UnitIndex(700)))), (1, 1));
    }

    #[test]
    fn each_region_has_an_estimate() {
        let readers = Readers::new(config(100 * REGION, four(), Estimate::UNKNOWN));
        let comes = |unit| readers.after(seen(UnitIndex(unit))).with.count() == 4;
        let [this, same_lock] = [3, 3 + MOST_LOCKS].map(|region| region * REGION);
        // So far apart that nobody seems to read on.
        let second = |region: u32, cluster: u32| {
            let first = region + 4 * (cluster * 37 % 256);
            comes(first);
            comes(first + 2)
        };
        assert!((0..20).any(|cluster| second(this, cluster)));
        assert!(!comes(same_lock) && !comes(100 * REGION - 1));
    }
}
