//! When objects are moved together within the pool. A pure decision over numbers; the range's compactor carries
//! it out.

/// Knowledge of the pool's memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Taken from the system.
    pub used: u64,
    /// Of that, with objects.
    pub objects: u64,
    /// Without, when objects were last moved together: rounding, for the most part.
    pub left: u64,
    /// Most that may be taken; 0 = no limit.
    pub limit: u64,
    /// Something was refused, and nothing was freed since.
    pub refused: bool,
    /// Resident units leave for want of memory that the pool would give back.
    pub wanted: bool,
}

impl Room {
    /// Bytes without objects.
    pub fn lost(self) -> u64 {
        self.used.saturating_sub(self.objects)
    }
}

/// Whether a pass over all units would free enough.
pub fn pays(room: Room) -> bool {
    /// Less is not worth the trouble.
    const LEAST: u64 = 1 << 20;
    // Room that was left in a pool which was larger then says little.
    let left = room.left.min(room.used / 8);
    room.lost().saturating_sub(left) > (room.used / 16).max(LEAST)
}

/// Whether a pass over all units makes room for one that has found none.
pub fn frees_room(room: Room) -> bool {
    room.lost() > room.used / 8
}

/// Whether it cannot wait until the host's clock ticks.
pub fn is_urgent(Room { used, limit, refused, wanted, .. }: Room) -> bool {
    wanted || limit > 0 && (refused || used > limit / 8 * 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;
    const BASE: Room = Room {
        used: 160 * MIB,
        objects: 150 * MIB,
        left: 0,
        limit: 200 * MIB,
        refused: false,
        wanted: false,
    };

    #[test]
    fn a_sixteenth_must_be_to_be_had() {
        assert!(!pays(BASE));
        assert!(pays(Room { objects: 149 * MIB, ..BASE }));
        assert!(
            !pays(Room { objects: 149 * MIB, left: 2 * MIB, ..BASE }),
            "it could not be had the last time"
        );
        assert!(pays(Room { objects: 100 * MIB, left: 160 * MIB, ..BASE }), "the pool was larger then");
        assert!(!pays(Room { used: 2 * MIB, objects: MIB, ..BASE }), "too little");
        assert!(!pays(Room { objects: 170 * MIB, ..BASE }), "the numbers are not of the same moment");
    }

    #[test]
    fn a_pool_with_much_between_objects_has_room() {
        assert!(!frees_room(Room { objects: 140 * MIB, ..BASE }));
        assert!(frees_room(Room { objects: 139 * MIB, ..BASE }));
    }

    #[test]
    fn a_pool_that_is_nearly_full_does_not_wait() {
        assert!(!is_urgent(BASE));
        assert!(is_urgent(Room { used: 176 * MIB, ..BASE }) && is_urgent(Room { refused: true, ..BASE }));
        assert!(is_urgent(Room { wanted: true, ..BASE }));
        assert!(!is_urgent(Room { used: 176 * MIB, limit: 0, refused: true, ..BASE }));
    }
}
