//! Whether a fault brings in the whole cluster of its unit, or the unit alone. Pure decisions; `readers` of the range keeps
//! what they are made of, and `serve` carries them out.
//!
//! A cluster is an aligned run of units. Small units suit programs that want a value here and a value there. Other programs
//! soon want all of a cluster, and one fault costs them less than four. The program itself shows which of both it is. A fault
//! brings in its unit alone. Another fault in the same cluster, soon after, would have been saved. Each such sign counts for
//! the whole region. Once its clusters seem to be used together, faults bring in clusters. A few of them still come alone, to
//! show whether that is so still.

use crate::units::{PAGE_LEN, UnitIndex, Units};

/// Bytes of a cluster.
const CLUSTER: u64 = 16 << 10;

/// Units in the largest cluster.
pub const MOST_UNITS: usize = 4;

/// Part of the residency limit that a cluster may take, so that the unit that was asked for is still there when its thread
/// goes on.
const SHARE: u64 = 16;

/// How many units a cluster has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterLen(u32);

impl ClusterLen {
    /// Each unit is alone: there are no clusters.
    pub const ONE: Self = Self(1);

    /// For units of `unit_len` bytes, and a residency limit of `limit_bytes` (0 = none).
    pub fn of(unit_len: u64, limit_bytes: u64) -> Self {
        let has_room = limit_bytes == 0 || limit_bytes / SHARE >= CLUSTER;
        if has_room { Self((CLUSTER / unit_len).max(1) as u32) } else { Self::ONE }
    }

    /// The pages of a unit of `unit_len` bytes, as its cluster: units that are one themselves may come page by page. Where the
    /// kernel's pages, of `kernel_page` bytes, are larger than ours, they come as a whole.
    pub fn of_pages(unit_len: u64, kernel_page: u64) -> Self {
        let is_one = unit_len < CLUSTER || kernel_page > PAGE_LEN;
        if is_one { Self::ONE } else { Self((unit_len / PAGE_LEN) as u32) }
    }

    /// Units in a cluster.
    pub fn units(self) -> u32 {
        self.0
    }

    /// The number of the cluster that `unit` lies in.
    pub fn number(self, unit: UnitIndex) -> usize {
        (unit.0 / self.0) as usize
    }

    /// The cluster of `unit`, as far as a range of `units` has it.
    pub fn around(self, unit: UnitIndex, units: u32) -> Units {
        let first = unit.0 - unit.0 % self.0;
        Units { first: UnitIndex(first), end: UnitIndex(first.saturating_add(self.0).min(units)) }
    }
}

/// How surely the clusters of a region are used together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate(u8);

impl Estimate {
    /// Nothing was seen yet: units come alone.
    pub const UNKNOWN: Self = Self(0);
    /// As surely as can be.
    pub const TOGETHER: Self = Self(16);
    /// From here on clusters come.
    const LIKELY: Self = Self(8);
    /// How much a second fault counts, and how much it counts that there was none. A cluster costs as much as faults one by one where
    /// not quite half of the other units are wanted. Most programs want all or none of them.
    const GAIN: u8 = 2;
    const LOSS: u8 = 3;

    /// Whether that is likely.
    pub fn is_likely(self) -> bool {
        self.0 >= Self::LIKELY.0
    }

    /// Notes a sign for it, or one against it.
    pub fn note(&mut self, together: bool) {
        self.0 = if together {
            (self.0 + Self::GAIN).min(Self::TOGETHER.0)
        } else {
            self.0.saturating_sub(Self::LOSS)
        };
    }
}

impl From<u64> for Estimate {
    fn from(value: u64) -> Self {
        Self(value.min(Self::TOGETHER.0.into()) as u8)
    }
}

impl From<Estimate> for u64 {
    fn from(estimate: Estimate) -> Self {
        estimate.0.into()
    }
}

/// Faults that came alone, each remembered until another one takes its place, or about so many faults have followed.
const REMEMBERED: usize = 32;
const LATE: u32 = 64;

/// One of so many faults comes alone though clusters are used together.
const SAMPLE: u64 = 8;

/// Units that have one estimate.
pub const REGION: u32 = 1024;

/// Whether one comes alone of those that are likely used together, of which `likely` came before: to show whether that is so
/// still.
pub fn is_sample(likely: u64) -> bool {
    likely.is_multiple_of(SAMPLE)
}

/// Until a part of so many of all that is resident has left, a second fault comes soon.
const SOON: u64 = 4;

/// A fault, as far as this decision goes.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The unit.
    pub unit: UnitIndex,
    /// Its region, among those whose estimates are kept together.
    pub region: usize,
    /// Other units of its cluster that could come, too.
    pub out: u32,
    /// Evictions so far.
    pub now: u64,
    /// Units that memory has room for.
    pub limit: u64,
    /// A reader in order was expected there. Windows bring in what it will want.
    pub expected: bool,
}

/// A unit that came in alone.
#[derive(Clone, Copy, Debug)]
struct Lone {
    unit: UnitIndex,
    region: usize,
    now: u64,
    /// The number of its fault.
    number: u32,
}

/// Estimates of some regions, and the faults that they are made from.
#[derive(Debug)]
pub struct Clustering {
    len: ClusterLen,
    estimates: Box<[Estimate]>,
    lone: [Option<Lone>; REMEMBERED],
    /// Faults so far, and those of them at which clusters were likely.
    faults: u32,
    likely: u32,
}

impl Clustering {
    /// For so many regions with clusters of `len`, of which one knows this much at first.
    pub fn new(len: ClusterLen, regions: usize, first: Estimate) -> Self {
        let estimates = vec![first; regions].into_boxed_slice();
        Self { len, estimates, lone: [None; REMEMBERED], faults: 0, likely: 0 }
    }

    /// Notes a fault. Whether the cluster comes in.
    pub fn after(&mut self, fault: Fault) -> bool {
        if self.len == ClusterLen::ONE {
            return false;
        }
        let is_second = self.note_second(fault);
        self.forget_late();
        if fault.out == 0 || fault.expected {
            return false;
        }
        if self.estimates[fault.region].is_likely() {
            self.likely = self.likely.wrapping_add(u32::from(!is_second));
            if is_second || !is_sample(self.likely.into()) {
                return true;
            }
        }
        // Where most of the cluster is there already, no second fault would show anything.
        if fault.out * 2 >= self.len.units() - 1 {
            self.remember(fault);
        }
        false
    }

    /// Whether a fault is the second one of its cluster, and soon after the first.
    fn note_second(&mut self, fault: Fault) -> bool {
        let is_of_cluster = |lone: &mut Lone| self.len.number(lone.unit) == self.len.number(fault.unit);
        let Some(first) = self.lone[self.place(fault.unit)].take_if(is_of_cluster) else { return false };
        // If its own unit is back already, no other one was wanted as soon.
        let together = first.unit != fault.unit && fault.now.saturating_sub(first.now) <= fault.limit / SOON;
        self.estimates[fault.region].note(together);
        together
    }

    fn remember(&mut self, Fault { unit, region, now, .. }: Fault) {
        let lone = Lone { unit, region, now, number: self.faults };
        if let Some(before) = self.lone[self.place(unit)].replace(lone) {
            self.estimates[before.region].note(false);
        }
    }

    /// Looks at one of those that are remembered: each has its turn.
    fn forget_late(&mut self) {
        self.faults = self.faults.wrapping_add(1);
        let is_late = |lone: &mut Lone| self.faults.wrapping_sub(lone.number) > LATE;
        if let Some(late) = self.lone[self.faults as usize % REMEMBERED].take_if(is_late) {
            self.estimates[late.region].note(false);
        }
    }

    fn place(&self, unit: UnitIndex) -> usize {
        self.len.number(unit) % REMEMBERED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: u64 = 4000;

    /// Faults of one region, with clusters of four, of which nothing else is there.
    struct Program {
        clustering: Clustering,
        now: u64,
    }

    impl Program {
        fn new(first: Estimate) -> Self {
            Self { clustering: Clustering::new(ClusterLen(4), 2, first), now: 0 }
        }

        fn fault(&mut self, unit: u32) -> bool {
            self.fault_with(unit, 3)
        }

        /// With so many others of its cluster that are not there.
        fn fault_with(&mut self, unit: u32, out: u32) -> bool {
            self.now += 1;
            self.clustering.after(Fault {
                unit: UnitIndex(unit),
                region: 1,
                out,
                now: self.now,
                limit: LIMIT,
                expected: false,
            })
        }

        /// Of the clusters from `first` on, each is read as a whole. Returns the faults.
        fn read_clusters(&mut self, first: u32, count: u32) -> u32 {
            // So far apart that no cluster takes another one's place before it is read.
            let clusters = (first..first + count).map(|cluster| cluster * 37 % 256);
            clusters.map(|cluster| self.read_cluster(cluster)).sum()
        }

        fn read_cluster(&mut self, cluster: u32) -> u32 {
            let last = (0..3).find(|&unit| self.fault_with(4 * cluster + unit, 3 - unit));
            let last = last.or_else(|| Some(3).filter(|_| !self.fault_with(4 * cluster + 3, 0)));
            last.expect("the last one is there, or comes alone") + 1
        }

        /// A unit here and a unit there. Returns how many of them brought in their clusters.
        fn read_points(&mut self, first: u32, count: u32) -> usize {
            (first..first + count).filter(|&point| self.fault(point * 149 % 1024)).count()
        }
    }

    #[test]
    fn a_cluster_has_16_kib_where_memory_has_room() {
        let lens = |limit| [4096, 8192, 16384, 65536].map(|unit_len| ClusterLen::of(unit_len, limit).units());
        assert_eq!(lens(0), [4, 2, 1, 1]);
        assert_eq!(lens(256 << 10), [4, 2, 1, 1]);
        assert_eq!(lens(255 << 10), [1; 4], "little memory");
        assert_eq!(ClusterLen::of(4096, 0).units() as usize, MOST_UNITS);
        let pages = |kernel| {
            [4096, 8192, 16384, 65536].map(|unit_len| ClusterLen::of_pages(unit_len, kernel).units())
        };
        assert_eq!((pages(4096), pages(16384), pages(65536)), ([1, 1, 4, 16], [1; 4], [1; 4]));
        let cluster = |unit, len| ClusterLen(len).around(UnitIndex(unit), 10);
        let units = |first, end| Units { first: UnitIndex(first), end: UnitIndex(end) };
        assert_eq!([cluster(0, 4), cluster(5, 4), cluster(9, 4)], [units(0, 4), units(4, 8), units(8, 10)]);
        assert_eq!(cluster(7, 1), units(7, 8));
    }

    #[test]
    fn units_come_alone_until_clusters_seem_to_be_used_together() {
        let mut program = Program::new(Estimate::UNKNOWN);
        assert_eq!(program.read_clusters(0, 1), 4);
        let faults = program.read_clusters(1, 10);
        assert!((12..=16).contains(&faults), "{faults} in ten clusters");
        let faults = program.read_clusters(11, 160);
        assert!((160 + 18..=160 + 22).contains(&faults), "{faults}: one in eight comes alone");
    }

    #[test]
    fn points_bring_in_their_units_alone() {
        let mut program = Program::new(Estimate::UNKNOWN);
        assert_eq!(program.read_points(0, 5000), 0);
        let mut program = Program::new(Estimate::TOGETHER);
        assert!(program.read_points(0, 1000) < 120, "it is seen soon");
        assert_eq!(program.read_points(1000, 5000), 0);
        let faults = program.read_clusters(0, 40);
        assert!(faults < 110, "so is the opposite: {faults}");
    }

    #[test]
    fn what_comes_late_is_no_second_fault() {
        let mut program = Program::new(Estimate::UNKNOWN);
        for cluster in 0..100 {
            assert!(!program.fault(4 * cluster));
            program.now += LIMIT / 4 + 1;
            assert!(!program.fault(4 * cluster + 1));
        }
        assert_eq!(program.clustering.estimates[1], Estimate::UNKNOWN);
        assert!((0..100).all(|_| !program.fault(8)), "nor is the same unit");
    }

    #[test]
    fn what_says_nothing_is_not_noted() {
        let mut program = Program::new(Estimate::UNKNOWN);
        let base = Fault { unit: UnitIndex(0), region: 1, out: 3, now: 1, limit: LIMIT, expected: false };
        for (fault, comes, notes) in [
            (Fault { out: 0, ..base }, false, false),
            (Fault { out: 1, ..base }, true, false),
            (Fault { expected: true, ..base }, false, false),
            (base, true, true),
        ] {
            assert!(!program.clustering.after(fault));
            assert_eq!(program.clustering.lone[0].take().is_some(), notes, "{fault:?}");
            let mut sure = Program::new(Estimate::TOGETHER);
            assert_eq!(sure.clustering.after(fault), comes, "{fault:?}");
        }
        assert!(
            !Clustering::new(ClusterLen::ONE, 2, Estimate::TOGETHER).after(base),
            "there are no clusters"
        );
    }

    #[test]
    fn regions_are_told_apart() {
        let mut program = Program::new(Estimate::UNKNOWN);
        program.read_clusters(0, 20);
        let [other, this] = [0, 1].map(|region| program.clustering.estimates[region]);
        assert!(this.is_likely() && other == Estimate::UNKNOWN);
    }
}
