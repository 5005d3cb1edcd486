// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Redis in the virtual machine of `make test-guest`, where root may serve swap. Its CPU is emulated, so times mean
//! nothing, but the data that Redis held do.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use ztera_machine::interrupt;

use crate::kit::own_command;
use crate::redis::Curve;

/// The step's key.
pub const STEP: &str = "redis, in a guest";

/// It boots the guest, and leaves these two files.
const BOOT: &str = "guest/run.sh";
const CURVES: &str = "out/guest/redis.jsonl";
const LOG: &str = "out/guest/log";

/// All arms.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct InGuest {
    /// Of the guest.
    pub kernel: String,
    /// Without their times.
    pub curves: Vec<Curve>,
}

/// Boots the guest from the repository, which is the current folder, for the tests of Redis alone. Arms whose test
/// failed are there, too, with their ending.
pub fn measure() -> Result<InGuest> {
    if !Path::new(BOOT).exists() {
        bail!("{BOOT} is missing: run this in ZTera's repository");
    }
    let mut command = Command::new(BOOT);
    command.env("ONLY", "redis");
    let booted = own_command::output(command);
    interrupt::check()?;
    let curves = curves(&fs::read_to_string(CURVES).unwrap_or_default());
    if curves.is_empty() {
        booted?;
        bail!("the guest has measured nothing: see {LOG}");
    }
    Ok(InGuest { kernel: kernel(&fs::read_to_string(LOG).unwrap_or_default()), curves })
}

fn curves(lines: &str) -> Vec<Curve> {
    let all = lines.lines().filter_map(|line| serde_json::from_str::<Curve>(line).ok());
    all.map(|curve| Curve { loads: Vec::new(), ..curve }).collect()
}

fn kernel(log: &str) -> String {
    let line = log.lines().find_map(|line| line.strip_prefix("guest: Linux "));
    line.unwrap_or("unknown").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_leaves_lines_and_a_log() {
        let line = r#"{"redis":"no swap","limit_bytes":100,"servers":2,"loads":[{"data_bytes":60,
            "sets_per_second":9.0,"gets_per_second":8.0}],"held_bytes":64,"ending":"killed","words":"killed",
            "swap_peak_bytes":0}"#;
        let line = line.replace('\n', "");
        let found = curves(&format!("{line}\n{line}\nhalf a li"));
        assert_eq!((found.len(), found[0].held_bytes, &found[0].loads), (2, 64, &Vec::new()));
        assert_eq!(kernel("x\nguest: Linux 6.12.1\nok\n"), "6.12.1");
        assert_eq!(kernel(""), "unknown");
    }
}
