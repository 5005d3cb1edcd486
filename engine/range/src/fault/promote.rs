//! Records of units that come back from SSD, kept by the pool as they are.

use ztera_store::{Backing, Scratch, Slot, UnitIndex};

use crate::core::watch::PoolChange;
use crate::fault::server::Server;

/// Neighbours on each side whose records may have come by the same read.
const NEIGHBOURS: u32 = 16;

impl Server<'_> {
    /// A unit was just read with `scratch`. If that was from SSD, and the pool should have it, it gets the record, and those of
    /// neighbours that came besides, as long as it has room.
    pub(super) fn promote_if_wanted(self, slot: &mut Slot<'_>, scratch: &mut Scratch) {
        if !matches!(slot.backing(), Backing::OnSsd(_)) || !self.core.pool_wants(slot) {
            return;
        }
        let unit = slot.unit();
        if self.promote(slot, scratch) {
            self.promote_all((unit.0 + 1..).take(NEIGHBOURS as usize), scratch);
            self.promote_all((unit.0.saturating_sub(NEIGHBOURS)..unit.0).rev(), scratch);
            self.core.pool_changed(PoolChange::Stored);
        }
    }

    /// Promotes those of `units` that only the SSD has, up to the first that the last read did not bring, or that has no room.
    fn promote_all(self, units: impl Iterator<Item = u32>, scratch: &mut Scratch) {
        let units = units.take_while(|&unit| unit < self.core.store.table().len()).map(UnitIndex);
        let on_ssd = |unit| self.lock_if(unit, |backing| matches!(backing, Backing::OnSsd(_)));
        for mut slot in units.filter_map(on_ssd) {
            if !self.core.pool_has_room() || !self.promote(&mut slot, scratch) {
                return;
            }
        }
    }

    fn promote(self, slot: &mut Slot<'_>, scratch: &mut Scratch) -> bool {
        let is_promoted = self.core.store.promote(slot, scratch);
        self.core.counters.promoted.add(u64::from(is_promoted));
        is_promoted
    }
}
