// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Rows of the study: how much DRAM there is, and what sizes of swap are shares of.

use super::paper;

/// The system's own part of a machine of the study, as its section 6.3 says.
const SYSTEM_GB: f64 = 0.4;

/// DRAM, as shares of a program's footprint.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The name in tables: `75 %`, or `4 GB` of the study.
    pub name: String,
    /// The limit of program and compressed pages.
    limit: f64,
    /// Sizes of swap are shares of this.
    whole: f64,
}

impl Machine {
    /// A limit in percent of the footprint. Sizes of swap are shares of the footprint, too.
    pub fn percent(percent: u32) -> Machine {
        Machine { name: format!("{percent} %"), limit: f64::from(percent) / 100.0, whole: 1.0 }
    }

    /// A machine of the study, for a kernel whose footprint there is known. Sizes of swap are shares of its DRAM.
    pub fn of_study(gigabytes: u32, kernel: &str) -> Option<Machine> {
        let footprint = paper::footprint(kernel)?;
        let dram = f64::from(gigabytes);
        let limit = (dram - SYSTEM_GB) / footprint;
        Some(Machine { name: format!("{gigabytes} GB"), limit, whole: dram / footprint })
    }

    /// The limit for a program, in bytes.
    pub fn limit(&self, footprint: u64) -> u64 {
        pages(footprint as f64 * self.limit)
    }

    /// The size of swap for a program, in bytes.
    pub fn swap(&self, footprint: u64, percent: u32) -> u64 {
        pages(footprint as f64 * self.whole * f64::from(percent) / 100.0)
    }
}

/// Whole pages.
fn pages(bytes: f64) -> u64 {
    (bytes as u64).next_multiple_of(4096)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ztera_machine::units::MIB;

    #[test]
    fn a_percent_is_one_of_the_footprint() {
        let half = Machine::percent(50);
        assert_eq!((half.limit(100 * MIB), half.swap(100 * MIB, 25)), (50 * MIB, 25 * MIB));
    }

    #[test]
    fn a_machine_of_the_study_is_scaled_to_the_footprint() {
        let four = Machine::of_study(4, "mg").unwrap();
        let percent = |bytes: u64| bytes / MIB;
        // 3.6 of 3.331 GB, and half of 4 GB.
        assert_eq!((percent(four.limit(100 * MIB)), percent(four.swap(100 * MIB, 50))), (108, 60));
        assert_eq!(Machine::of_study(4, "dd"), None);
    }
}
