//! The counts of a range, on top of its store.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ztera_metrics::{BUCKETS, Histogram, Tier, bucket_of};
use ztera_store::Counter;

/// Running counters.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub faults: Counter,
    pub read_ahead: Counter,
    pub wp_faults: Counter,
    pub evicted_clean: Counter,
    pub evicted_dirty: Counter,
    pub promoted: Counter,
    pub demoted: Counter,
    pub recompressed: Counter,
    pub recompress_tried: Counter,
    pub split: Counter,
    pub discarded_units: Counter,
    pub held_writes: Counter,
    /// Units that came back from the pool, and from SSD, so soon that a little more memory would have kept them.
    pub near_pages: Counter,
    pub near_pool: Counter,
    /// Writes to units that lingered.
    pub returned: Counter,
    pub fault_times: FaultTimes,
}

/// Threads share one part with every so many others.
const PARTS: usize = 8;

const TIERS: usize = Tier::ALL.len();

/// The times of one tier.
#[derive(Debug)]
struct Times {
    sum_ns: AtomicU64,
    counts: [AtomicU64; BUCKETS],
}

impl Times {
    fn add_to(&self, sum: &mut Histogram) {
        sum.add_sum(self.sum_ns.load(Ordering::Relaxed));
        let counts = self.counts.iter().map(|count| count.load(Ordering::Relaxed));
        counts.enumerate().for_each(|(bucket, count)| sum.add_counted(bucket, count));
    }
}

#[derive(Debug)]
#[repr(align(64))]
struct Part([Times; TIERS]);

/// Times of faults by tier. Threads that add to it do not wait for each other.
#[derive(Debug)]
pub(crate) struct FaultTimes(Box<[Part]>);

impl Default for FaultTimes {
    fn default() -> Self {
        let times = || Times { sum_ns: AtomicU64::new(0), counts: [const { AtomicU64::new(0) }; BUCKETS] };
        Self((0..PARTS).map(|_| Part([(); TIERS].map(|()| times()))).collect())
    }
}

impl FaultTimes {
    /// Adds one that took so long.
    pub fn add(&self, tier: Tier, time: Duration) {
        let ns = time.as_nanos() as u64;
        let times = &self.0[ztera_sync::ticket() % PARTS].0[tier as usize];
        times.sum_ns.fetch_add(ns, Ordering::Relaxed);
        times.counts[bucket_of(ns)].fetch_add(1, Ordering::Relaxed);
    }

    /// All of each tier, in the order of [`Tier::ALL`]. Exact once no thread adds to it.
    pub fn get(&self) -> [Histogram; TIERS] {
        let mut sums = [(); TIERS].map(|()| Histogram::default());
        for Part(tiers) in &self.0 {
            tiers.iter().zip(&mut sums).for_each(|(times, sum)| times.add_to(sum));
        }
        sums
    }
}
