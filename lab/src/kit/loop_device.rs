// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Loop devices.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::tool;

/// A loop device, which reads past the page cache. Dropping it detaches it.
pub struct Loop(PathBuf);

impl Loop {
    /// Of all of a file.
    pub fn attach(file: &Path) -> Result<Loop> {
        Loop::with(file, &[])
    }

    /// Of a part of one.
    pub fn attach_part(file: &Path, offset: u64, bytes: u64) -> Result<Loop> {
        Loop::with(file, &["--offset", &offset.to_string(), "--sizelimit", &bytes.to_string()])
    }

    fn with(file: &Path, options: &[&str]) -> Result<Loop> {
        let mut command = Command::new("losetup");
        command.args(["--find", "--show", "--direct-io=on"]).args(options).arg(file);
        Ok(Loop(tool::output(&mut command, "mount")?.trim().into()))
    }

    /// Its node in `/dev`.
    pub fn node(&self) -> &Path {
        &self.0
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        if let Err(error) = tool::output(Command::new("losetup").arg("--detach").arg(&self.0), "mount") {
            eprintln!("ztera: {} stays attached: {error}", self.0.display());
        }
    }
}
