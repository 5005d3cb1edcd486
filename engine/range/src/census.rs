//! Where the units of a part of the range are.

use ztera_store::Units;

use crate::core::Inner;

/// Bytes of units, uncompressed; each unit that is not empty is in exactly one of `resident`, `compressed` and `on_ssd`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Mapped.
    pub resident: u64,
    /// Of those, what was written to since it was mapped: to evict it means to compress it again.
    pub written: u64,
    /// In DRAM, but not mapped: in the pool, staged, or one word repeated.
    pub compressed: u64,
    /// Only on SSD.
    pub on_ssd: u64,
    /// Of those in the pool, what was not touched for `idle_epochs`; 0 where nothing ever is idle.
    pub idle: u64,
}

impl Inner {
    /// Counts as of about now: no slot is locked.
    pub fn census(&self, units: Units) -> Census {
        let unit_len = self.unit_len() as u64;
        let mut census = Census::default();
        for unit in units.iter() {
            let glance = self.store.table().glance(unit);
            let counted = match () {
                () if glance.resident => &mut census.resident,
                () if glance.on_ssd => &mut census.on_ssd,
                () if glance.empty => continue,
                () => &mut census.compressed,
            };
            *counted += unit_len;
            if glance.resident && glance.written {
                census.written += unit_len;
            }
            if self.is_idle(glance) {
                census.idle += unit_len;
            }
        }
        census
    }
}
