//! The numbers that the engine tells of the faults that it served: how long they took, by the tier that had the contents.

use crate::histogram::Histogram;

/// Where the contents were that a thread waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Uncompressed in DRAM, or nowhere: the unit was resident and protected, staged, empty, or one repeated word.
    Memory,
    /// In the pool.
    Pool,
    /// On SSD.
    Ssd,
}

impl Tier {
    /// All, from the fastest one.
    pub const ALL: [Self; 3] = [Self::Memory, Self::Pool, Self::Ssd];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Pool => "pool",
            Self::Ssd => "ssd",
        }
    }
}

list! {
    /// The faults of one tier, as in the list `faults`.
    FAULTS;
    /// Times that faults took, from when the engine learns of one until it has served it and made room.
    fault_ns: Nanoseconds Histogram;
}

/// Bytes that hold the text of [`json`], whatever the times are.
pub const JSON_LEN: usize = 32 << 10;

/// The list `faults` of `GC.h2_info json`: the times of each of [`Tier::ALL`].
pub fn json(times: &[Histogram; Tier::ALL.len()]) -> String {
    let of =
        |(tier, times): (Tier, &Histogram)| format!(r#"{{"tier":"{}","fault_ns":{times}}}"#, tier.name());
    format!("[{}]", Tier::ALL.into_iter().zip(times).map(of).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::histogram::BUCKETS;

    #[test]
    fn each_tier_has_its_times() {
        let mut times = [(); 3].map(|()| Histogram::default());
        times[1].add(5);
        let told = [
            r#"{"tier":"memory","fault_ns":{"sum":0,"buckets":[]}}"#,
            r#"{"tier":"pool","fault_ns":{"sum":5,"buckets":[[5,1]]}}"#,
            r#"{"tier":"ssd","fault_ns":{"sum":0,"buckets":[]}}"#,
        ];
        assert_eq!(json(&times), format!("[{}]", told.join(",")));
    }

    #[test]
    fn the_longest_text_fits() {
        let mut most = Histogram::default();
        (0..BUCKETS).for_each(|bucket| most.add_counted(bucket, u64::MAX / BUCKETS as u64));
        most.add_sum(u64::MAX);
        assert!(json(&[(); 3].map(|()| most.clone())).len() < JSON_LEN);
    }
}
