// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Pages of a real heap: those of the demo's index in H2.

use std::path::Path;

use anyhow::Result;
use ztera_machine::h2_dump;
use ztera_machine::jvm::Jvm;

use crate::bench::pauses::{self, Heaps};
use crate::kit::arms::Arm;

/// The label under which the data was moved; another one has arrays that are there for other measurements.
const LABEL: i64 = 1;

/// Writes about `bytes` of them to `file`, which must not exist.
pub fn dump(heaps: &Heaps, bytes: u64, file: &Path) -> Result<()> {
    eprintln!("pages of the demo's index");
    let scratch = tempfile::tempdir()?;
    let job = pauses::job(heaps, bytes, scratch.path())?;
    let driver = job.driver_with_data_in_h2(&Arm::tier(), "objects")?;
    h2_dump::dump(&Jvm::of(driver.pid())?, Some(LABEL), file)
}
