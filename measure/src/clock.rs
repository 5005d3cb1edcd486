// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Time on the wall, and time of all CPUs.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use ztera_machine::units::{GIB, MIB};

/// The cost of something.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// On the wall.
    pub wall: Duration,
    /// CPU time of all threads of this process, in the kernel too. The work of the kernel's own threads is not in it.
    pub cpu: Duration,
}

impl Spent {
    /// Of `work`.
    pub fn during(work: impl FnOnce()) -> Spent {
        let (start, cpu) = (Instant::now(), cpu_time());
        work();
        Spent { wall: start.elapsed(), cpu: cpu_time().saturating_sub(cpu) }
    }

    /// The same of work that can fail.
    pub fn trying<E>(work: impl FnOnce() -> Result<(), E>) -> Result<Spent, E> {
        let mut result = Ok(());
        let spent = Spent::during(|| result = work());
        result.map(|()| spent)
    }

    /// MiB per second for so many bytes.
    pub fn mib_per_second(&self, bytes: usize) -> f64 {
        bytes as f64 / MIB as f64 / self.wall.as_secs_f64()
    }

    /// CPU seconds per GiB for so many bytes.
    pub fn cpu_per_gib(&self, bytes: usize) -> f64 {
        self.cpu.as_secs_f64() / (bytes as f64 / GIB as f64)
    }
}

fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_per_unit_of_size() {
        let spent = Spent { wall: Duration::from_secs(2), cpu: Duration::from_secs(3) };
        assert_eq!((spent.mib_per_second(4 << 20), spent.cpu_per_gib(2 << 30)), (2.0, 1.5));
    }
}
