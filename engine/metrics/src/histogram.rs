//! Times of very many events in little memory, each known to an eighth.

use std::fmt;

/// Buckets per power of two.
const PARTS: usize = 8;

/// Times of this many ns and more share the last bucket: a minute.
const TOP: u64 = 1 << 36;

/// Buckets of a histogram.
pub const BUCKETS: usize = (TOP.ilog2() as usize - 2) * PARTS;

/// The bucket of a time in ns.
pub const fn bucket_of(ns: u64) -> usize {
    if ns < PARTS as u64 {
        return ns as usize;
    }
    if ns >= TOP {
        return BUCKETS - 1;
    }
    let power = ns.ilog2() as usize;
    (power - 3) * PARTS + (ns >> (power - 3)) as usize
}

/// The least time of a bucket in ns. That of the next bucket is its end.
pub const fn least_of(bucket: usize) -> u64 {
    if bucket < PARTS {
        return bucket as u64;
    }
    ((PARTS + bucket % PARTS) as u64) << (bucket / PARTS - 1)
}

/// How many times lie in each bucket, and the sum of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    counts: Vec<u64>,
    sum_ns: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0; BUCKETS], sum_ns: 0 }
    }
}

impl Histogram {
    /// Adds one time.
    pub fn add(&mut self, ns: u64) {
        self.counts[bucket_of(ns)] += 1;
        self.sum_ns += ns;
    }

    /// Adds what somebody else has counted: `count` times in a bucket.
    pub fn add_counted(&mut self, bucket: usize, count: u64) {
        self.counts[bucket] += count;
    }

    /// Adds to the sum of times that were counted by [`add_counted`](Self::add_counted).
    pub fn add_sum(&mut self, ns: u64) {
        self.sum_ns += ns;
    }

    /// Adds all of another's.
    pub fn add_all(&mut self, other: &Self) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, count)| *sum += count);
        self.sum_ns += other.sum_ns;
    }

    /// The times that came since an earlier state. Where that counted more, it was another program's.
    pub fn since(&self, before: &Self) -> Self {
        let grown = self.counts.iter().zip(&before.counts).map(|(now, then)| now.saturating_sub(*then));
        Self { counts: grown.collect(), sum_ns: self.sum_ns.saturating_sub(before.sum_ns) }
    }

    /// How many times there are.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Their sum in ns.
    pub fn sum_ns(&self) -> u64 {
        self.sum_ns
    }

    /// How many are shorter than `ns`. Exact at powers of two up to a minute.
    pub fn shorter_than(&self, ns: u64) -> u64 {
        self.counts[..bucket_of(ns)].iter().sum()
    }

    /// Seconds below which so many of a thousand lie; none if there are no times. Within a bucket they are taken to lie
    /// evenly.
    pub fn below(&self, per_mille: u64) -> Option<f64> {
        let rank = (self.count() as f64 * per_mille as f64 / 1000.0).max(1.0);
        let mut seen = 0.0;
        for (bucket, count) in self.counts.iter().map(|&count| count as f64).enumerate() {
            if count > 0.0 && seen + count >= rank {
                let (least, end) = (least_of(bucket) as f64, least_of(bucket + 1) as f64);
                return Some((least + (end - least) * (rank - seen) / count) / 1e9);
            }
            seen += count;
        }
        None
    }
}

/// As JSON: the sum, and of each bucket that is not empty its least time and its count.
impl fmt::Display for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{\"sum\":{},\"buckets\":[", self.sum_ns)?;
        let filled = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        for (i, (bucket, count)) in filled.enumerate() {
            write!(f, "{}[{},{count}]", if i == 0 { "" } else { "," }, least_of(bucket))?;
        }
        f.write_str("]}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(times: &[(u64, u64)]) -> Histogram {
        let mut all = Histogram::default();
        times.iter().for_each(|&(ns, count)| (0..count).for_each(|_| all.add(ns)));
        all
    }

    #[test]
    fn each_time_lies_in_its_bucket() {
        for ns in (0..20_000).chain([1 << 30, (1 << 35) + 5, TOP - 1]) {
            let (least, end) = (least_of(bucket_of(ns)), least_of(bucket_of(ns) + 1));
            assert!(least <= ns && ns < end, "{ns} of {least}..{end}");
            assert!(end - least <= 1.max(ns / PARTS as u64), "{ns} of {least}..{end}");
        }
        assert_eq!([TOP - 1, TOP, u64::MAX].map(bucket_of), [BUCKETS - 1; 3]);
        assert!((0..BUCKETS).all(|bucket| bucket_of(least_of(bucket)) == bucket));
    }

    #[test]
    fn percentiles_are_those_of_all() {
        let mut all = of(&[(100, 990)]);
        all.add_all(&of(&[(100_000, 10)]));
        assert_eq!((all.count(), all.sum_ns()), (1000, 99_000 + 1_000_000));
        let near = |per_mille, ns: f64| {
            let found = all.below(per_mille).expect("there are some") * 1e9;
            assert!((found / ns - 1.0).abs() < 1.0 / PARTS as f64, "{found} is not near {ns}");
        };
        near(500, 100.0);
        near(990, 100.0);
        near(991, 100_000.0);
        near(1000, 100_000.0);
        assert_eq!(Histogram::default().below(500), None);
        assert!(of(&[(7, 1)]).below(1) > Some(7e-9), "one of one");
    }

    #[test]
    fn what_came_since_is_told_apart() {
        let (before, after) = (of(&[(10, 5)]), of(&[(10, 7), (5000, 1)]));
        assert_eq!(after.since(&before), of(&[(10, 2), (5000, 1)]));
        assert_eq!(before.since(&after), Histogram::default());
        assert_eq!([1, 16, 4096, 8192].map(|ns| after.shorter_than(ns)), [0, 7, 7, 8]);
    }

    #[test]
    fn json_names_what_is_there() {
        assert_eq!(of(&[(3, 2), (1030, 1)]).to_string(), r#"{"sum":1036,"buckets":[[3,2],[1024,1]]}"#);
        assert_eq!(Histogram::default().to_string(), r#"{"sum":0,"buckets":[]}"#);
    }
}
