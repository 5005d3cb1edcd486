// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Pages of a real heap: those of the demo's index in H2.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::bench::arms::{Arm, Store};
use crate::bench::pauses::{self, Heaps};

/// The label under which the data was moved; another one has arrays that are there for other measurements.
const LABEL: &str = "1";

/// Writes about `bytes` of them to `file`, which must not exist.
pub fn dump(heaps: &Heaps, bytes: u64, file: &Path) -> Result<()> {
    eprintln!("pages of the demo's index");
    let scratch = tempfile::tempdir()?;
    let job = pauses::job(heaps, bytes, scratch.path())?;
    let driver = job.driver_with_data_in_h2(&Arm { name: "tier", store: Store::Tier }, "objects")?;
    let output = Command::new(job.java.with_file_name("jcmd"))
        .args([&driver.pid().to_string(), "GC.h2_dump"])
        .arg(file)
        .arg(LABEL)
        .stdin(Stdio::null())
        .output()
        .context("cannot run jcmd")?;
    if !output.status.success() || !file.exists() {
        let said = [output.stdout, output.stderr].concat();
        bail!("jcmd GC.h2_dump failed: {}", String::from_utf8_lossy(&said).trim());
    }
    Ok(())
}
