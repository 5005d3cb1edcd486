// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! zswap, compressed memory before a swap file, switched on for as long as it is needed. It belongs to the whole
//! system.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ztera_machine::memory::meminfo;

use super::setting::Setting;
use super::swap::FileSwap;

const PARAMETERS: &str = "/sys/module/zswap/parameters";

/// A swap file with zswap before it. Dropping it undoes all: the fields are dropped in their order, since pages have to
/// come back before zswap gets its old parameters.
pub struct Zswap {
    _swap: FileSwap,
    _parameters: Vec<Setting>,
    limit: u64,
    peak: Peak,
}

impl Zswap {
    /// Swap of `bytes` in a file in `dir`, with zswap of at most `limit` bytes of DRAM before it. The kernel takes
    /// whole percents of the machine's memory, so it may be less. It compresses by `algorithm`, if the kernel has that.
    pub fn create(dir: &Path, bytes: u64, algorithm: &str, limit: u64) -> Result<Zswap> {
        if !Path::new(PARAMETERS).exists() {
            bail!("this kernel has no zswap");
        }
        let memory = meminfo("MemTotal").context("/proc/meminfo has no MemTotal")?;
        let Some(percent) = percent(memory, limit) else {
            bail!(
                "a percent of this machine's memory, the least that zswap can be limited to, is too much: give a higher --limit"
            );
        };
        // Where the kernel does not have the algorithm, it keeps its own.
        let mut parameters: Vec<Setting> = set("compressor", algorithm).into_iter().collect();
        parameters.push(set("max_pool_percent", &percent.to_string())?);
        parameters.push(set("enabled", "Y")?);
        let swap = FileSwap::create(dir, bytes)?;
        Ok(Zswap { _swap: swap, _parameters: parameters, limit: memory / 100 * percent, peak: Peak::watch() })
    }

    /// The DRAM that it may use.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The DRAM that it used at most, as seen ten times a second.
    pub fn peak(&self) -> u64 {
        self.peak.most.load(Ordering::Relaxed)
    }
}

/// Looks at how much zswap holds until it is dropped: the kernel does not keep the most.
struct Peak {
    most: Arc<AtomicU64>,
    _stop: Sender<()>,
}

impl Peak {
    fn watch() -> Peak {
        let (stop, stopped) = channel();
        let most: Arc<AtomicU64> = Arc::default();
        let seen = Arc::clone(&most);
        thread::spawn(move || {
            while stopped.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                seen.fetch_max(meminfo("Zswap").unwrap_or(0), Ordering::Relaxed);
            }
        });
        Peak { most, _stop: stop }
    }
}

/// As many whole percents of the machine's memory as stay below the limit; none if there is not one.
fn percent(memory: u64, limit: u64) -> Option<u64> {
    Some(limit / (memory / 100)).filter(|&percent| percent > 0)
}

fn set(parameter: &str, value: &str) -> Result<Setting> {
    Setting::change(Path::new(PARAMETERS).join(parameter), value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_in_whole_percents() {
        assert_eq!(percent(10_000, 350), Some(3));
        assert_eq!(percent(10_000, 99), None);
    }
}
