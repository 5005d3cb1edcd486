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
}
