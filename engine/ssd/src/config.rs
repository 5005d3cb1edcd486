//! The settings that the tier is opened with.

use std::path::PathBuf;

/// Where and how much.
#[derive(Clone, Debug)]
pub struct Config {
    /// Directory of the file; or a block device that nobody uses, and the contents of which are lost.
    pub directory: PathBuf,
    /// Most bytes of it, rounded down to MiB; `None` = nine tenths of what the file system has free now, or all of
    /// the device.
    pub limit: Option<u64>,
    /// Most bytes written per second, at least 1 MiB: who writes more waits. `None` = no limit.
    pub write_rate: Option<u64>,
    /// Most bytes written per day, days being counted from now on; after that there is no room until the next
    /// one. `None` = no limit.
    pub writes_per_day: Option<u64>,
    /// Encrypt what is written, with a key that only this process ever has. A block device is encrypted in any case.
    pub encrypt: bool,
}

impl Config {
    /// Without any limit but what the file system has, and not encrypted.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            limit: None,
            write_rate: None,
            writes_per_day: None,
            encrypt: false,
        }
    }
}
