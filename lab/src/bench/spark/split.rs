// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How the time of a run divides: the program, young and full collections, and of these the moves to H2.

use serde::{Deserialize, Serialize};

use crate::kit::gclog;

/// Seconds, none of which is in two parts.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Split {
    /// All that no collection took.
    pub mutator_seconds: f64,
    /// Young collections.
    pub minor_seconds: f64,
    /// Full collections without the moves.
    pub major_seconds: f64,
    /// Choosing and copying what moves to H2.
    pub moves_seconds: f64,
}

impl Split {
    /// Of a run that took so long, by a log with `-Xlog:gc,gc+phases`.
    pub fn of(log: &str, seconds: f64) -> Split {
        let (full, young): (Vec<_>, Vec<_>) = gclog::pauses(log).into_iter().partition(gclog::Pause::is_full);
        let [full, minor] = [full, young].map(|pauses| gclog::summary(&pauses).total_seconds);
        let moves = gclog::phases_seconds(log, "H2 ").min(full);
        Split {
            mutator_seconds: (seconds - full - minor).max(0.0),
            minor_seconds: minor,
            major_seconds: full - moves,
            moves_seconds: moves,
        }
    }

    /// In the order of the fields.
    pub fn parts(self) -> [f64; 4] {
        [self.mutator_seconds, self.minor_seconds, self.major_seconds, self.moves_seconds]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_disjoint_and_whole() {
        let log = "\
[1.0s][info][gc       ] GC(0) Pause Young (Allocation Failure) 96M->18M(362M) 250.0ms
[2.0s][info][gc,phases] GC(1) Marking Phase 400.0ms
[2.0s][info][gc,phases] GC(1) H2 Select 100.0ms
[2.5s][info][gc,phases] GC(1) H2 Copy 500.0ms
[2.9s][info][gc       ] GC(1) Pause Full (System.gc()) 1065M->35M(1518M) 1500.0ms";
        let split = Split::of(log, 4.0);
        assert_eq!(split.parts().map(|part| (part * 1e6).round() / 1e6), [2.25, 0.25, 0.9, 0.6]);
        assert!((split.parts().iter().sum::<f64>() - 4.0).abs() < 1e-9);
        assert_eq!(Split::of("", 4.0), Split { mutator_seconds: 4.0, ..Split::default() });
    }
}
