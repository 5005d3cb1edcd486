//! The worth of a little more memory to resident units, and to the pool where an SSD lies below. Pure decisions over
//! numbers; the governor follows them.
//!
//! A unit that comes back from the pool soon after it left would still be resident, had pages had a little more. One that
//! comes back from SSD not long after the pool gave it away would still be there, had the pool had more. So both sides count
//! what they nearly had (as ghost queues of ARC do), and each has its price.

/// Faults that so many units more would have saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Margin {
    /// Faults since the last look.
    pub faults: u64,
    /// Units that those faults needed.
    pub units: u64,
}

/// Both sides, since the last look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Units that came back from the pool.
    pub pages: Margin,
    /// Units that came back from SSD.
    pub pool: Margin,
    /// Thousandths of a unit that it takes in the pool.
    pub share: u64,
    /// Nanoseconds that a fault from the pool costs, with what the unit costs that leaves for it.
    pub fault: u64,
    /// Nanoseconds that one from SSD takes beside.
    pub read: u64,
}

/// The side to which the balance leans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lean {
    /// Memory saves more as pages.
    Pages,
    /// Memory saves more as a part of the pool.
    Pool,
    /// Neither, or nobody knows.
    Level,
}

/// Fewer faults at the margins say nothing.
const ENOUGH: u64 = 32;

impl Balance {
    /// A side has to save a quarter more than the other.
    ///
    /// A byte that pages get is a byte of data less that faults. The pool loses the data that it held in that byte, but for
    /// those that are in pages now: where data compress to a third, two bytes of them go to SSD.
    pub fn leans(self) -> Lean {
        if self.pages.faults + self.pool.faults < ENOUGH {
            return Lean::Level;
        }
        let per_unit = |Margin { faults, units }: Margin| faults as f64 / units.max(1) as f64;
        let share = self.share.clamp(1, 1000) as f64 / 1000.0;
        let pages = per_unit(self.pages) * self.fault as f64;
        let pool = per_unit(self.pool) * self.read as f64 * (1.0 / share - 1.0);
        match (pages > pool * 1.25, pool > pages * 1.25) {
            (true, _) => Lean::Pages,
            (_, true) => Lean::Pool,
            _ => Lean::Level,
        }
    }
}

/// Bytes of a budget that pages have at first where there is an SSD: the less the pool saves, the more. Of data that
/// compress to three quarters it adds a third of its size, and costs a fault for each touch.
pub fn pages_at_first(budget: u64, share: u64) -> u64 {
    budget / 2000 * share.min(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: Balance = Balance {
        pages: Margin { faults: 1000, units: 100 },
        pool: Margin { faults: 100, units: 100 },
        share: 500,
        fault: 10_000,
        read: 100_000,
    };

    #[test]
    fn memory_goes_where_it_saves_most() {
        for (balance, lean) in [
            (BASE, Lean::Level),
            (Balance { pool: Margin { faults: 130, units: 100 }, ..BASE }, Lean::Pool),
            (Balance { pool: Margin { faults: 70, units: 100 }, ..BASE }, Lean::Pages),
            (Balance { pages: Margin { faults: 1000, units: 50 }, ..BASE }, Lean::Pages),
            (Balance { share: 750, ..BASE }, Lean::Pages),
            (Balance { share: 333, ..BASE }, Lean::Pool),
            (Balance { fault: 30_000, ..BASE }, Lean::Pages),
            (Balance { read: 300_000, ..BASE }, Lean::Pool),
            (Balance { read: 1, ..BASE }, Lean::Pages),
            (Balance { share: 1000, pool: Margin { faults: 9999, units: 1 }, ..BASE }, Lean::Pages),
        ] {
            assert_eq!(balance.leans(), lean, "{balance:?}");
        }
    }

    #[test]
    fn a_few_faults_decide_nothing() {
        let few = Margin { faults: 15, units: 1 };
        assert_eq!(Balance { pages: few, pool: few, ..BASE }.leans(), Lean::Level);
        assert_eq!(
            Balance { pages: Margin::default(), pool: Margin::default(), ..BASE }.leans(),
            Lean::Level
        );
    }

    #[test]
    fn a_pool_that_saves_little_is_small_at_first() {
        assert_eq!([0, 250, 750, 2000].map(|share| pages_at_first(8000, share)), [0, 1000, 3000, 4000]);
    }
}
