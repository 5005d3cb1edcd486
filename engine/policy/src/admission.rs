//! How much more data there is room for, judged by how they compress.

/// DRAM that a byte of data takes once it is compressed, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(u64);

impl Cost {
    /// As it is: nothing is gained by compression.
    pub const RAW: Self = Self(1000);

    /// Of data of which `bytes` take `stored`. Never more than [`RAW`](Self::RAW), and a 32nd at least: tables take that.
    pub fn of(stored: u64, bytes: u64) -> Self {
        Self::per_mille(if bytes == 0 { 1000 } else { stored.saturating_mul(1000).div_ceil(bytes) })
    }

    /// So many thousandths, within the same bounds.
    pub fn per_mille(thousandths: u64) -> Self {
        Self(thousandths.clamp(1000 / 32, 1000))
    }

    /// DRAM for `bytes` of data.
    pub fn price(self, bytes: u64) -> u64 {
        bytes.saturating_mul(self.0) / 1000
    }

    fn buys(self, bytes: u64) -> u64 {
        bytes.saturating_mul(1000) / self.0
    }
}

/// The contents of the tiers, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holdings {
    /// Most bytes of the pool, were resident units to shrink to their least.
    pub pool_limit: u64,
    /// Bytes of the pool that objects take.
    pub pool_used: u64,
    /// Resident bytes beyond the least that only mapped memory has: they will want room in the pool.
    pub dirty: u64,
    /// Bytes submitted, and not stored yet.
    pub staged: u64,
    /// Bytes that the SSD can surely take.
    pub ssd: u64,
    /// The memory that a byte of `dirty` and `staged` is expected to take.
    pub held: Cost,
}

/// Part of the pool that stays free: it is lost between objects.
const LOST: u64 = 16;

/// Bytes that can be taken in if each of them takes `cost`.
pub fn capacity(holdings: Holdings, cost: Cost) -> u64 {
    let Holdings { pool_limit, pool_used, dirty, staged, ssd, held } = holdings;
    let owed = pool_used + held.price(dirty + staged);
    let free = (pool_limit - pool_limit / LOST).saturating_sub(owed);
    cost.buys(free).saturating_add(ssd)
}

/// The part of the pool's limit that staging buffers beyond theirs leave: else the pool could open no chunk for what is
/// compressed, and would have to keep that as it is.
const UNPROMISED: u64 = 4;

/// Whether buffers with `wanted` bytes may be filled beyond those that are theirs, where the pool has `free` bytes that
/// nobody was promised.
pub fn may_stage(free: u64, wanted: u64, limit: u64) -> bool {
    free >= wanted + limit / UNPROMISED
}

/// The part of a pool's units that is left to changes of what is there when it is full.
const RESERVE_SHARE: u64 = 64;

/// Units of it at least, unless that would be much: two chunks of the pool, which small objects of some length share.
const LEAST_RESERVE: u64 = 32;
const MOST_RESERVE_SHARE: u64 = 16;

/// Units that new data leave to changes of what is there, in a pool for `units`.
pub fn reserve(units: u64) -> u64 {
    (units / RESERVE_SHARE).max(LEAST_RESERVE.min(units / MOST_RESERVE_SHARE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_pool_is_not_promised_to_buffers() {
        assert!(may_stage(400, 0, 1600) && may_stage(500, 100, 1600));
        assert!(!may_stage(499, 100, 1600));
    }

    #[test]
    fn a_little_is_left_to_changes() {
        assert_eq!([0, 64, 512, 2048, 6400].map(reserve), [0, 4, 32, 32, 100]);
    }

    const BASE: Holdings =
        Holdings { pool_limit: 1600, pool_used: 500, dirty: 0, staged: 0, ssd: 0, held: Cost::RAW };

    #[test]
    fn room_is_counted_in_what_data_take() {
        let quarter = Cost::of(1, 4);
        assert_eq!(capacity(BASE, Cost::RAW), 1000);
        assert_eq!(capacity(BASE, quarter), 4000);
        assert_eq!(capacity(Holdings { dirty: 800, staged: 400, held: quarter, ..BASE }, quarter), 2800);
        assert_eq!(capacity(Holdings { pool_used: 1600, ssd: 77, ..BASE }, quarter), 77);
        assert_eq!(capacity(Holdings { dirty: 5000, ..BASE }, quarter), 0);
    }

    #[test]
    fn costs_are_within_bounds() {
        assert_eq!(Cost::of(0, 0), Cost::RAW);
        assert_eq!(Cost::of(3000, 1000), Cost::RAW, "raw is always possible");
        assert_eq!(Cost::of(0, 1000), Cost::per_mille(31));
    }
}
