//! How much may be written when, so that the SSD lasts. Pure bookkeeping: times are given to it.

use std::time::Duration;

/// The least rate that can be asked for, in bytes per second: with it, a batch waits for a quarter of a second.
pub(crate) const LEAST_RATE: u64 = 1 << 20;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Limits, and what was written under them. Times are since the file was made, and so are days.
#[derive(Debug)]
pub(crate) struct Quota {
    rate: Option<u64>,
    per_day: Option<u64>,
    /// When the next write may begin.
    next: Duration,
    day: u64,
    today: u64,
}

impl Quota {
    /// Bytes per second and per day; `None` = no limit.
    pub fn new(rate: Option<u64>, per_day: Option<u64>) -> Self {
        Self { rate, per_day, next: Duration::ZERO, day: 0, today: 0 }
    }

    /// Bytes that may still be written on the day of `now`; `None` = no limit.
    pub fn left(&self, now: Duration) -> Option<u64> {
        let today = if self.day == day(now) { self.today } else { 0 };
        self.per_day.map(|most| most.saturating_sub(today))
    }

    /// Whether a write that began now would have to wait.
    pub fn would_wait(&self, now: Duration) -> bool {
        self.next > now
    }

    /// Of what was taken last, `bytes` were not written.
    pub fn give_back(&mut self, bytes: u64) {
        self.today = self.today.saturating_sub(bytes);
    }

    /// Lets `bytes` be written after the time that it returns. `None`: not today.
    pub fn take(&mut self, bytes: u64, now: Duration) -> Option<Duration> {
        if self.left(now).is_some_and(|left| left < bytes) {
            return None;
        }
        if self.day != day(now) {
            (self.day, self.today) = (day(now), 0);
        }
        self.today += bytes;
        let begin = self.next.max(now);
        self.next = begin + self.rate.map_or(Duration::ZERO, |rate| time(bytes, rate));
        Some(begin - now)
    }
}

fn day(now: Duration) -> u64 {
    now.as_secs() / DAY.as_secs()
}

fn time(bytes: u64, rate: u64) -> Duration {
    Duration::from_nanos((u128::from(bytes) * 1_000_000_000 / u128::from(rate)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn without_limits_nobody_waits() {
        let mut quota = Quota::new(None, None);
        assert_eq!((quota.take(u64::MAX / 2, SECOND), quota.left(SECOND)), (Some(Duration::ZERO), None));
    }

    #[test]
    fn in_the_long_run_no_more_is_written_than_the_rate_says() {
        let mut quota = Quota::new(Some(1000), None);
        let mut now = SECOND * 5;
        let start = now;
        for _ in 0..100 {
            now += quota.take(500, now).expect("there is no limit per day");
        }
        assert_eq!(now - start, SECOND / 2 * 99);
        // A writer that waited long does not write much at once.
        now += SECOND * 100;
        assert!(!quota.would_wait(now));
        assert_eq!([500, 500].map(|bytes| quota.take(bytes, now)), [Some(Duration::ZERO), Some(SECOND / 2)]);
        assert!(quota.would_wait(now));
    }

    #[test]
    fn a_day_has_its_bytes_and_the_next_day_others() {
        let mut quota = Quota::new(None, Some(1000));
        let evening = DAY - SECOND;
        assert_eq!(quota.take(900, evening), Some(Duration::ZERO));
        assert_eq!((quota.take(101, evening), quota.left(evening)), (None, Some(100)));
        assert_eq!(quota.take(100, evening), Some(Duration::ZERO));
        quota.give_back(30);
        assert_eq!(quota.left(evening), Some(30));
        assert_eq!(quota.left(DAY), Some(1000));
        assert_eq!(quota.take(1000, DAY), Some(Duration::ZERO));
        assert_eq!(quota.take(1, DAY + SECOND), None);
    }
}
