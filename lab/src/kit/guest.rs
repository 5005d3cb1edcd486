// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The virtual machine of `make test-guest`, booted for an experiment. It has another kernel, and root there has every
//! capability. Its CPU is emulated, so times mean nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ztera_machine::interrupt;

use super::own_command;

/// It boots the guest, and leaves these two files.
const BOOT: &str = "guest/run.sh";
const SAMPLES: &str = "out/guest/samples.jsonl";
const LOG: &str = "out/guest/log";

/// The findings of a guest.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct InGuest<T> {
    /// The version of its kernel.
    pub kernel: String,
    /// One per line that a test left, if it has this form. Older files have other names.
    #[serde(alias = "curves", alias = "phases")]
    pub samples: Vec<T>,
}

/// Boots the guest from the repository, which is the current folder, for the tests with `part` in their names. Samples
/// that a test left before it failed are there, too; without any, the failure is the error.
pub fn boot<T: DeserializeOwned>(part: &str) -> Result<InGuest<T>> {
    if !Path::new(BOOT).exists() {
        bail!("{BOOT} is missing: run this in ZTera's repository");
    }
    let mut command = Command::new(BOOT);
    command.env("ONLY", part);
    let booted = own_command::output(command);
    interrupt::check()?;
    let [samples, log] = [SAMPLES, LOG].map(|file| fs::read_to_string(file).unwrap_or_default());
    let found = found(&samples, &log);
    if found.samples.is_empty() {
        booted?;
        bail!("the guest has measured nothing: see {LOG}");
    }
    Ok(found)
}

fn found<T: DeserializeOwned>(samples: &str, log: &str) -> InGuest<T> {
    let kernel = log.lines().find_map(|line| line.strip_prefix("guest: Linux ")).unwrap_or("unknown");
    let samples = samples.lines().filter_map(|line| serde_json::from_str(line).ok());
    InGuest { kernel: kernel.to_owned(), samples: samples.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_leaves_lines_and_a_log() {
        let InGuest { kernel, samples } =
            found::<u32>("1\n2\n\"of another form\"\n{\"hal", "x\nguest: Linux 6.12.1\nok\n");
        assert_eq!((kernel.as_str(), samples), ("6.12.1", vec![1, 2]));
        assert_eq!(found::<u32>("", "").kernel, "unknown");
    }

    #[test]
    fn older_files_are_read() {
        for name in ["curves", "phases", "samples"] {
            let json = format!(r#"{{"kernel":"6.12.1","{name}":[1,2]}}"#);
            assert_eq!(serde_json::from_str::<InGuest<u32>>(&json).unwrap().samples, [1, 2]);
        }
    }
}
