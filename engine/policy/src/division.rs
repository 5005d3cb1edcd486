//! How one budget of DRAM is divided between resident units and the pool.
//!
//! Pages stay uncompressed as long as there is room: resident units have whatever the pool does not use. The pool
//! may grow until only the least that resident units need is left to them.

/// What there is to divide, in bytes. Every maximum is within the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Resident units and the pool together.
    pub budget: u64,
    /// Resident units have so much in any case.
    pub resident_least: u64,
    /// Resident units have no more; 0 = no maximum of their own.
    pub resident_most: u64,
    /// The pool has no more.
    pub pool_most: u64,
}

/// Room that the pool can grow into before resident units have left: no more than the evictor needs to get ahead, as
/// DRAM that nobody uses is wasted.
const GAP: u64 = 8 << 20;

impl Terms {
    /// Most bytes of the pool now.
    pub fn pool_limit(self) -> u64 {
        self.pool_most.min(self.budget.saturating_sub(self.resident_least))
    }

    /// Most bytes of resident units, now that the pool uses `pool_used`.
    pub fn resident_limit(self, pool_used: u64) -> u64 {
        let left = (self.budget - GAP.min(self.budget / 16)).saturating_sub(pool_used);
        let most = if self.resident_most == 0 { u64::MAX } else { self.resident_most };
        left.min(most).max(self.resident_least)
    }

    /// The same while staging buffers borrow `borrowed` bytes of the budget. Resident units had `before` bytes when that
    /// began: they keep these, and get no more of what is borrowed.
    pub fn resident_limit_beside(self, pool_used: u64, borrowed: u64, before: u64) -> u64 {
        let limit = self.resident_limit(pool_used);
        let kept = limit.min(before.max(self.resident_least));
        limit.saturating_sub(borrowed).max(kept)
    }

    /// Whether resident units have less the more the pool uses, and not a maximum of their own.
    pub fn copies_cost_pages(self, pool_used: u64) -> bool {
        self.resident_limit(pool_used) != self.resident_most
    }

    /// Whether neither the pool, which uses `pool_used` bytes, nor resident units, which have `resident`, use `bytes` of the
    /// budget.
    pub fn is_unused(self, bytes: u64, pool_used: u64, resident: u64) -> bool {
        pool_used + resident.max(self.resident_least) + bytes <= self.budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: u64 = 1 << 20;
    const TERMS: Terms =
        Terms { budget: 320 * M, resident_least: 32 * M, resident_most: 0, pool_most: 1024 * M };

    #[test]
    fn resident_units_have_what_the_pool_leaves() {
        let limit = |used| TERMS.resident_limit(used * M) / M;
        assert_eq!([0, 100, 260, 280, 288, 1000].map(limit), [312, 212, 52, 32, 32, 32]);
    }

    #[test]
    fn maxima_are_kept_within_the_budget() {
        let terms = Terms { resident_most: 64 * M, pool_most: 100 * M, ..TERMS };
        assert_eq!((terms.resident_limit(0), terms.pool_limit()), (64 * M, 100 * M));
        assert_eq!(TERMS.pool_limit(), 288 * M);
        assert_eq!(
            Terms { budget: 16 * M, ..TERMS }.pool_limit(),
            0,
            "the least of resident units goes first"
        );
    }

    #[test]
    fn units_keep_what_they_had_while_buffers_borrow() {
        let limit = |borrowed, before| TERMS.resident_limit_beside(100 * M, borrowed * M, before * M) / M;
        assert_eq!(limit(0, 0), 212);
        assert_eq!(limit(50, 100), 162, "no more of what is borrowed");
        assert_eq!(limit(50, 200), 200, "what they had");
        assert_eq!([limit(500, 0), limit(500, 300)], [32, 212]);
    }

    #[test]
    fn copies_cost_pages_where_both_share() {
        let most = Terms { resident_most: 64 * M, ..TERMS };
        assert!(TERMS.copies_cost_pages(0));
        assert_eq!([0, 200, 260].map(|used| most.copies_cost_pages(used * M)), [false, false, true]);
    }

    #[test]
    fn what_is_unused_is_neither_pages_nor_pool() {
        let unused = |bytes, used, resident| TERMS.is_unused(bytes * M, used * M, resident * M);
        assert!(unused(120, 100, 100) && !unused(121, 100, 100));
        assert!(unused(188, 100, 0) && !unused(189, 100, 0), "the least is theirs");
    }
}
