// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How long a run may take before it is stopped.

use std::time::Duration;

/// When a run is stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// Of a run that has no reference: seconds.
    pub alone_seconds: f64,
    /// Never earlier.
    pub least_seconds: f64,
    /// So many times what the reference took.
    pub times: f64,
}

impl Patience {
    /// The limit beside a reference that took so long, or beside none yet.
    pub fn beside(self, reference: Option<f64>) -> Duration {
        let seconds =
            reference.map_or(self.alone_seconds, |seconds| (seconds * self.times).max(self.least_seconds));
        Duration::from_secs_f64(seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_grows_with_the_reference() {
        let patience = Patience { alone_seconds: 300.0, least_seconds: 60.0, times: 8.0 };
        assert_eq!(patience.beside(Some(2.0)), Duration::from_secs(60));
        assert_eq!(patience.beside(Some(10.0)), Duration::from_secs(80));
        assert_eq!(patience.beside(None), Duration::from_secs(300));
    }
}
