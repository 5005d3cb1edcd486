//! How one budget of DRAM is divided between resident units and the pool.
//!
//! Pages stay uncompressed as long as there is room: resident units have whatever the pool does not use. The pool
//! may grow until only the minimum is left to resident units.

/// The limits of a range, in bytes. All others hold within `dram_max`, and the minimum goes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Resident units have so much in any case.
    pub resident_min: u64,
    /// Resident units have no more; 0 = no maximum of their own.
    pub resident_max: u64,
    /// The pool has no more.
    pub pool_max: u64,
    /// Resident units and the pool have no more together: the budget.
    pub dram_max: u64,
}

/// Room that the pool can grow into before resident units have left: no more than the evictor needs to get ahead, as
/// DRAM that nobody uses is wasted.
const GAP: u64 = 4 << 20;

impl Limits {
    /// Most bytes of the pool now.
    pub fn pool_limit(self) -> u64 {
        self.pool_max.min(self.dram_max.saturating_sub(self.resident_min))
    }

    /// Most bytes of resident units, now that the pool uses `pool_used`.
    pub fn resident_limit(self, pool_used: u64) -> u64 {
        let left = (self.dram_max - GAP.min(self.dram_max / 16)).saturating_sub(pool_used);
        let max = if self.resident_max == 0 { u64::MAX } else { self.resident_max };
        left.min(max).max(self.resident_min)
    }

    /// The same while staging buffers borrow `borrowed` bytes of the budget. Resident units had `before` bytes when that
    /// began: they keep these, and get no more of what is borrowed.
    pub fn resident_limit_beside(self, pool_used: u64, borrowed: u64, before: u64) -> u64 {
        let limit = self.resident_limit(pool_used);
        let kept = limit.min(before.max(self.resident_min));
        limit.saturating_sub(borrowed).max(kept)
    }

    /// Whether resident units have less the more the pool uses, and not a maximum of their own.
    pub fn copies_cost_pages(self, pool_used: u64) -> bool {
        self.resident_limit(pool_used) != self.resident_max
    }

    /// Whether neither the pool, which uses `pool_used` bytes, nor resident units, which have `resident`, use `bytes` of the
    /// budget.
    pub fn is_unused(self, bytes: u64, pool_used: u64, resident: u64) -> bool {
        pool_used + resident.max(self.resident_min) + bytes <= self.dram_max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: u64 = 1 << 20;
    const LIMITS: Limits =
        Limits { dram_max: 320 * M, resident_min: 32 * M, resident_max: 0, pool_max: 1024 * M };

    #[test]
    fn resident_units_have_what_the_pool_leaves() {
        let limit = |used| LIMITS.resident_limit(used * M) / M;
        assert_eq!([0, 100, 260, 280, 288, 1000].map(limit), [316, 216, 56, 36, 32, 32]);
    }

    #[test]
    fn maxima_are_kept_within_the_budget() {
        let limits = Limits { resident_max: 64 * M, pool_max: 100 * M, ..LIMITS };
        assert_eq!((limits.resident_limit(0), limits.pool_limit()), (64 * M, 100 * M));
        assert_eq!(LIMITS.pool_limit(), 288 * M);
        assert_eq!(
            Limits { dram_max: 16 * M, ..LIMITS }.pool_limit(),
            0,
            "the minimum of resident units goes first"
        );
    }

    #[test]
    fn units_keep_what_they_had_while_buffers_borrow() {
        let limit = |borrowed, before| LIMITS.resident_limit_beside(100 * M, borrowed * M, before * M) / M;
        assert_eq!(limit(0, 0), 216);
        assert_eq!(limit(50, 100), 166, "no more of what is borrowed");
        assert_eq!(limit(50, 200), 200, "what they had");
        assert_eq!([limit(500, 0), limit(500, 300)], [32, 216]);
    }

    #[test]
    fn copies_cost_pages_where_both_share() {
        let max = Limits { resident_max: 64 * M, ..LIMITS };
        assert!(LIMITS.copies_cost_pages(0));
        assert_eq!([0, 200, 260].map(|used| max.copies_cost_pages(used * M)), [false, false, true]);
    }

    #[test]
    fn what_is_unused_is_neither_pages_nor_pool() {
        let unused = |bytes, used, resident| LIMITS.is_unused(bytes * M, used * M, resident * M);
        assert!(unused(120, 100, 100) && !unused(121, 100, 100));
        assert!(unused(188, 100, 0) && !unused(189, 100, 0), "the minimum is theirs");
    }
}
