//! One trace through one policy.

use ztera_store::UnitIndex;

use crate::trace::{Step, Trace};

/// Where a unit was when it was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Resident.
    Dram,
    /// In the pool, compressed (or one repeated word, which takes no room).
    Pool,
    /// On SSD.
    Ssd,
    /// Nowhere: it had no contents yet.
    New,
}

/// The room that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of resident units.
    pub resident: u64,
    /// Most bytes of compressed ones; 0 = no limit, and so no SSD.
    pub pool: u64,
}

/// The requests to the SSD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Disk {
    /// Units that were read.
    pub read_units: u64,
    /// Their bytes there.
    pub read_bytes: u64,
    /// Units that were written.
    pub written_units: u64,
    /// Their bytes there.
    pub written_bytes: u64,
}

impl Disk {
    pub(crate) fn read(&mut self, bytes: u64) {
        self.read_units += 1;
        self.read_bytes += bytes;
    }

    pub(crate) fn write(&mut self, bytes: u64) {
        self.written_units += 1;
        self.written_bytes += bytes;
    }
}

/// Decides which unit is in which tier.
pub trait Policy {
    /// The program touches `unit`, and returns when it is resident. Where it was.
    fn touch(&mut self, unit: UnitIndex, write: bool) -> Tier;
    /// The program gives `unit` new contents, which go to the pool.
    fn submit(&mut self, unit: UnitIndex);
    /// The program gives `unit` up.
    fn discard(&mut self, unit: UnitIndex);
    /// An epoch of the host ends.
    fn epoch(&mut self) {}
    /// The work of the SSD so far.
    fn disk(&self) -> Disk;
    /// Faults on resident units, to see reads of them.
    fn looks(&self) -> u64 {
        0
    }
}

/// How many touches found their unit where, and what it cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Resident.
    pub dram: u64,
    /// In the pool.
    pub pool: u64,
    /// On SSD.
    pub ssd: u64,
    /// Without contents.
    pub new: u64,
    /// The SSD's work.
    pub disk: Disk,
    /// Faults on resident units, to see reads of them.
    pub looks: u64,
}

impl Tally {
    /// All touches.
    pub fn touches(&self) -> u64 {
        self.dram + self.misses()
    }

    /// Touches of what was not resident.
    pub fn misses(&self) -> u64 {
        self.pool + self.ssd + self.new
    }

    /// Counts a touch.
    pub fn add(&mut self, tier: Tier) {
        match tier {
            Tier::Dram => self.dram += 1,
            Tier::Pool => self.pool += 1,
            Tier::Ssd => self.ssd += 1,
            Tier::New => self.new += 1,
        }
    }
}

/// Takes `policy` through `trace`.
pub fn replay(trace: &Trace, policy: &mut dyn Policy) -> Tally {
    replay_watched(trace, policy, |_, _| {})
}

/// The same; `watch` sees each touch.
pub fn replay_watched(
    trace: &Trace,
    policy: &mut dyn Policy,
    mut watch: impl FnMut(UnitIndex, Tier),
) -> Tally {
    let mut tally = Tally::default();
    for &step in &trace.steps {
        match step {
            Step::Touch { unit, write } => {
                let tier = policy.touch(unit, write);
                tally.add(tier);
                watch(unit, tier);
            }
            Step::Submit(unit) => policy.submit(unit),
            Step::Discard(unit) => policy.discard(unit),
            Step::Epoch => policy.epoch(),
        }
    }
    tally.disk = policy.disk();
    tally.looks = policy.looks();
    tally
}
