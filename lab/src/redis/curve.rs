// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The outcome of one arm.

use serde::{Deserialize, Serialize};

use crate::kit::ending::Ending;

/// Throughput while data grow, and where it ends.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Curve {
    /// The arm.
    pub redis: String,
    /// DRAM for servers and compressed pages.
    pub limit_bytes: u64,
    /// One per CPU.
    pub servers: u32,
    /// Whether all keys were set before any was got: then there is one load.
    #[serde(default)]
    pub gets_follow: bool,
    /// After each growth.
    pub loads: Vec<Load>,
    /// Values that all servers held at the end.
    pub held_bytes: u64,
    /// How it ended.
    pub ending: Ending,
    /// The same, in words.
    pub words: String,
    /// The most DRAM that swap used for pages and tables.
    pub swap_peak_bytes: u64,
    /// DRAM of our server beside that. It does not depend on data, and does not count against the limit.
    #[serde(default)]
    pub swap_fixed_bytes: u64,
}

/// Throughput at one size of data.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Load {
    /// Values of all servers after the growth.
    pub data_bytes: u64,
    /// While it grew.
    pub sets_per_second: f64,
    /// Of random keys after that.
    pub gets_per_second: f64,
}

/// Why data do not grow any more.
#[derive(Clone, Debug, PartialEq)]
pub enum Stopped {
    /// All data are there.
    Most,
    /// It took too long.
    Slow,
    /// A server went away, or refused.
    Lost(String),
    /// A server gave a wrong value.
    Wrong(String),
}

/// The ending that the signs speak for: how clients stopped, whether the kernel counts a kill, and whether a server is
/// gone.
pub fn ending(stopped: Stopped, oom_kill: bool, is_gone: bool) -> (Ending, String) {
    let (ending, words) = match stopped {
        Stopped::Wrong(key) => (Ending::WrongAnswers, format!("a server gave a wrong value: {key}")),
        _ if oom_kill => (Ending::Killed, "the kernel killed a server, out of memory".to_owned()),
        Stopped::Lost(_) if is_gone => {
            let words = "servers and compressed pages need more than the limit: killed";
            (Ending::Killed, words.to_owned())
        }
        Stopped::Lost(reason) => (Ending::Failed, reason),
        Stopped::Slow => (Ending::Stopped, "too slow: stopped".to_owned()),
        Stopped::Most => (Ending::Finished, "all data fit".to_owned()),
    };
    (ending, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kill_is_told_from_a_failure() {
        let lost = || Stopped::Lost("broken pipe".to_owned());
        assert_eq!(ending(lost(), true, true).0, Ending::Killed);
        assert_eq!(ending(lost(), false, true).0, Ending::Killed);
        assert_eq!(ending(lost(), false, false), (Ending::Failed, "broken pipe".to_owned()));
        assert_eq!(ending(Stopped::Slow, false, false).0, Ending::Stopped);
        assert_eq!(ending(Stopped::Most, false, false).0, Ending::Finished);
        assert_eq!(ending(Stopped::Wrong("x".to_owned()), true, true).0, Ending::WrongAnswers);
    }
}
