//! Which units come back from SSD to the pool before somebody asks for them. Pure decisions over numbers; the range's
//! refiller carries them out.
//!
//! The pool's room changes: it is least while the host moves data in, and much is demoted then. Later there is room again,
//! and each of those units would be read by itself, by a thread that waits for it. Many at once are read in a hundredth of
//! the time.

use crate::demotion::Pressure;

/// Bytes of objects that the pool has room for and takes back; 0 = none. From 24/32 of the limit up to 27/32: well below
/// where [`demotion`](crate::demotion) begins, so that nothing goes to and fro.
pub fn room(Pressure { pooled, limit, refused, .. }: Pressure) -> u64 {
    if refused || pooled >= limit / 32 * 24 { 0 } else { limit / 32 * 27 - pooled }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demotion::demand;

    #[test]
    fn a_pool_with_room_takes_back_less_than_it_would_demote() {
        let pressure = |pooled, limit| Pressure { pooled, limit, refused: false, useless: 0 };
        let rooms = [(0, 3200), (2399, 3200), (2400, 3200), (9999, 3200), (5, 0)];
        assert_eq!(rooms.map(|(pooled, limit)| room(pressure(pooled, limit))), [2700, 301, 0, 0, 0]);
        assert_eq!(room(Pressure { refused: true, ..pressure(0, 3200) }), 0);
        assert_eq!(demand(pressure(2700, 3200)), 0);
    }
}
