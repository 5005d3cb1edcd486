//! Whether a thread that needs a record of the SSD stays awake until it is there. A pure decision over numbers; the SSD
//! tier's `awake` carries it out.
//!
//! A thread that sleeps has to be woken, and gets its CPU later than its bytes. One that stays awake offers its CPU to others
//! first. If nobody takes it, the wait costs nothing but the CPU's idle time.

use std::time::Duration;

/// A longer read is worth the sleep: the medium is slow, or busy.
const LONGEST: Duration = Duration::from_micros(200);

/// An offer that took longer was taken: others need the CPU.
const TAKEN: Duration = Duration::from_micros(5);

/// So many reads sleep then, before one tries again.
const ASLEEP: u32 = 8;

/// Its memory from one read to the next.
#[derive(Debug, Default)]
pub struct Wakefulness {
    /// Reads that are still to sleep.
    asleep: u32,
}

impl Wakefulness {
    /// A read begins: whether its thread stays awake.
    pub fn begins(&mut self) -> bool {
        let stays = self.asleep == 0;
        self.asleep = self.asleep.saturating_sub(1);
        stays
    }

    /// It has offered its CPU, which took so long: whether it stays awake.
    pub fn stays(&mut self, offer: Duration) -> bool {
        self.note(offer <= TAKEN)
    }

    /// Whether it goes on, now that it has waited so long.
    pub fn goes_on(&mut self, waited: Duration) -> bool {
        self.note(waited <= LONGEST)
    }

    fn note(&mut self, is_awake: bool) -> bool {
        if !is_awake {
            self.asleep = ASLEEP;
        }
        is_awake
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_nanos(300);

    /// How many of the reads that follow stay awake.
    fn awake(rule: &mut Wakefulness, reads: u32) -> u32 {
        (0..reads).map(|_| u32::from(rule.begins())).sum()
    }

    #[test]
    fn short_reads_are_waited_for_awake() {
        let mut rule = Wakefulness::default();
        for read in 0..100 {
            assert!(rule.begins(), "read {read}");
            assert!(rule.stays(TAKEN) && rule.goes_on(SOON) && rule.goes_on(LONGEST));
        }
    }

    #[test]
    fn on_a_slow_medium_few_try() {
        let mut rule = Wakefulness::default();
        assert!(rule.begins() && rule.stays(SOON) && !rule.goes_on(LONGEST + SOON));
        assert_eq!(awake(&mut rule, ASLEEP), 0);
        assert_eq!(awake(&mut rule, 1), 1);
    }

    #[test]
    fn where_others_need_the_cpu_few_try() {
        let mut rule = Wakefulness::default();
        assert!(rule.begins() && !rule.stays(TAKEN + SOON));
        assert_eq!(awake(&mut rule, ASLEEP + 5), 5);
    }
}
