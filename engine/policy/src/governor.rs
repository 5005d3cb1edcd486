//! How memory is divided between resident units and the pool, where both share one budget. Pure decisions over
//! numbers; the range's governor carries them out, once per second.
//!
//! Resident units have what the pool does not use, so that memory is idle nowhere. Two things are decided: from
//! which size on the pool gives its coldest units to the SSD, which the [balance](crate::balance) of both sides tells, and
//! how much of the budget is withheld while the system has too little memory.

use crate::balance::{Lean, pages_at_first};
use crate::reason::Reason;
use crate::sharing::Place;

/// Knowledge of the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// Bytes that resident units and the pool may take together.
    pub budget: u64,
    /// Bytes of it that are resident units' in any case.
    pub resident_min: u64,
    /// Most bytes of the pool.
    pub pool_limit: u64,
    /// Share of the last ten seconds in which somebody waited for memory, in hundredths of a percent; `None` where
    /// the kernel does not tell.
    pub stall: Option<u32>,
    /// Units made resident since the last decision, read ahead or not.
    pub faults: u64,
    /// How many of them came from SSD; `None` = there is none.
    pub from_ssd: Option<u64>,
    /// Where memory saves more, with an SSD.
    pub lean: Lean,
    /// Thousandths of a unit that it takes in the pool; 0 = nobody knows yet.
    pub share: u64,
    /// The tightest memory that others share; `None` = they share none.
    pub place: Option<Place>,
}

/// The division from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Sixteenths of the budget that are withheld.
    pub withheld: u64,
    /// Bytes of the pool from which on demotion takes its measure.
    pub pool_target: u64,
}

/// Its memory from one decision to the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Governor {
    /// Sixteenths of the budget that are withheld.
    withheld: u64,
    /// Sixteenths of what resident units have at first that are the pool's, or less than 0: of what the pool can lose that
    /// are theirs.
    shifted: i64,
}

/// A tenth of the time (what Linux calls `some`), in hundredths of a percent.
const STALLED: u32 = 10_00;
const RECOVERED: u32 = 1_00;
const MOST_WITHHELD: u64 = 8;
/// Fewer faults than this per second are no load to judge by.
const LOAD: u64 = 100;
const MOST_SHIFTED: i64 = 16;
/// The part of its limit that the pool keeps.
const LEAST_POOL: u64 = 4;

impl Governor {
    /// The decision for now, and why it differs from the last one, if it does.
    pub fn decide(&mut self, inputs: Inputs) -> (Decision, Reason) {
        let reason = self.adjust(inputs);
        (self.decision(inputs), reason)
    }

    fn adjust(&mut self, Inputs { stall, faults, from_ssd, lean, .. }: Inputs) -> Reason {
        let stall = stall.unwrap_or(0);
        if stall > STALLED && self.withheld < MOST_WITHHELD {
            self.withheld += 1;
            return Reason::Stalled;
        }
        if stall < RECOVERED && self.withheld > 0 {
            self.withheld -= 1;
            return Reason::Recovered;
        }
        match lean {
            _ if from_ssd.is_none() || faults < LOAD => Reason::Calm,
            Lean::Pool if self.shifted < MOST_SHIFTED => {
                self.shifted += 1;
                Reason::SsdBound
            }
            Lean::Pages if self.shifted > -MOST_SHIFTED => {
                self.shifted -= 1;
                Reason::Relaxed
            }
            _ => Reason::Calm,
        }
    }

    fn decision(&self, inputs: Inputs) -> Decision {
        let Inputs { budget, resident_min, pool_limit, from_ssd, share, .. } = inputs;
        // As much again as resident units have in any case is theirs at first, if that leaves the pool enough.
        let at_first = pool_limit.saturating_sub(resident_min).max(pool_limit / 2);
        let to_pages = if from_ssd.is_some() { pages_at_first(budget, share) } else { 0 };
        let at_first = at_first.min(budget.saturating_sub(to_pages));
        let step = match self.shifted {
            0.. => (pool_limit - at_first) / 16,
            _ => at_first.saturating_sub(pool_limit / LEAST_POOL) / 16,
        };
        let target = at_first.saturating_add_signed(step as i64 * self.shifted);
        let target = target.min(budget.saturating_sub(resident_min));
        Decision { withheld: self.withheld, pool_target: kept(target, self.withheld).max(1) }
    }
}

/// The rest of `bytes` of which some sixteenths are withheld.
pub fn kept(bytes: u64, withheld: u64) -> u64 {
    bytes / 16 * (16 - withheld)
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: u64 = 1 << 20;
    const BASE: Inputs = Inputs {
        budget: 320 * M,
        resident_min: 32 * M,
        pool_limit: 288 * M,
        stall: Some(0),
        faults: 1000,
        from_ssd: Some(100),
        lean: Lean::Level,
        share: 0,
        place: None,
    };

    /// Decisions and reasons for the same inputs, again and again, until nothing changes.
    fn settle(governor: &mut Governor, inputs: Inputs) -> (Decision, Vec<Reason>) {
        let mut reasons = Vec::new();
        loop {
            let (decision, reason) = governor.decide(inputs);
            if reason == Reason::Calm {
                return (decision, reasons);
            }
            reasons.push(reason);
            assert!(reasons.len() < 100, "it never settles");
        }
    }

    #[test]
    fn nothing_happens_without_a_cause() {
        for inputs in [
            BASE,
            Inputs { stall: None, from_ssd: None, ..BASE },
            Inputs { faults: 99, lean: Lean::Pages, ..BASE },
            Inputs { from_ssd: None, lean: Lean::Pages, share: 750, ..BASE },
            Inputs { stall: Some(500), ..BASE },
        ] {
            let (decision, reason) = Governor::default().decide(inputs);
            assert_eq!((decision, reason), (Decision { withheld: 0, pool_target: 256 * M }, Reason::Calm));
        }
    }

    #[test]
    fn memory_is_given_back_step_by_step_and_taken_again() {
        let mut governor = Governor::default();
        let (decision, reasons) = settle(&mut governor, Inputs { stall: Some(20_00), ..BASE });
        assert_eq!(reasons, [Reason::Stalled; 8]);
        assert_eq!(decision, Decision { withheld: 8, pool_target: 128 * M }, "half is kept");
        let (decision, reasons) = settle(&mut governor, Inputs { stall: Some(5_00), ..BASE });
        assert_eq!((decision.withheld, reasons), (8, vec![]), "neither bad nor good");
        let (decision, reasons) = settle(&mut governor, BASE);
        assert_eq!((decision.withheld, reasons), (0, vec![Reason::Recovered; 8]));
    }

    #[test]
    fn memory_goes_where_it_saves_more() {
        let mut governor = Governor::default();
        let (decision, reasons) = settle(&mut governor, Inputs { lean: Lean::Pool, ..BASE });
        assert_eq!((decision.pool_target, reasons), (288 * M, vec![Reason::SsdBound; 16]));
        assert_eq!(decision.withheld, 0);
        assert_eq!(settle(&mut governor, BASE).1, [], "in between it stays");
        let (decision, reasons) = settle(&mut governor, Inputs { lean: Lean::Pages, ..BASE });
        assert_eq!((decision.pool_target, reasons), (72 * M, vec![Reason::Relaxed; 32]));
    }

    #[test]
    fn what_hardly_compresses_leaves_pages_more_at_first() {
        let first = |share| Governor::default().decide(Inputs { share, ..BASE }).0.pool_target / M;
        assert_eq!([0, 100, 400, 700].map(first), [256, 256, 256, 208]);
    }
}
