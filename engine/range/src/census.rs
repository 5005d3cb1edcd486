//! Where the units of a part of the range are.

use ztera_store::Units;

use crate::core::Core;
use crate::reclaim::idleness::Idleness;

/// Bytes of units, uncompressed; each page of a unit that is not empty is in exactly one of `resident`, `compressed` and
/// `on_ssd`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Mapped, also if the kernel may take it.
    pub resident: u64,
    /// Of those, what was written to since it was mapped: to evict it means to compress it again.
    pub written: u64,
    /// Compressed again since it was submitted, because it had been written to; as often as it was.
    pub rewritten: u64,
    /// In DRAM, but not mapped: in the pool, staged, or one word repeated.
    pub compressed: u64,
    /// Only on SSD.
    pub on_ssd: u64,
    /// Of those in the pool, what was not touched for `idle_epochs`; 0 where nothing ever is idle.
    pub idle: u64,
}

impl Census {
    /// Counts as of about now: no slot is locked.
    pub(crate) fn of(units: Units, core: &Core, idleness: &Idleness) -> Self {
        let unit_len = core.unit_len() as u64;
        let idle = idleness.now();
        let mut census = Self { rewritten: core.rewrites.bytes(units), ..Self::default() };
        for unit in units.iter() {
            let glance = core.store.table().glance(unit);
            let is_mapped = glance.resident || glance.lingers;
            let missing = if is_mapped { core.residency.holes().bytes_of(unit) } else { unit_len };
            census.resident += unit_len - missing;
            match () {
                () if glance.on_ssd => census.on_ssd += missing,
                () if glance.empty => {}
                () => census.compressed += missing,
            }
            if glance.resident && glance.written {
                census.written += unit_len;
            }
            if idle.is_idle(core, glance) {
                census.idle += unit_len;
            }
        }
        census
    }
}
