// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How much is measured, and where.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// How much is measured.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// As little as a test takes. The numbers mean nothing.
    Tiny,
    /// A few minutes.
    Quick,
    /// Everything.
    Full,
}

impl Scale {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Tiny => "tiny",
            Scale::Quick => "quick",
            Scale::Full => "full",
        }
    }
}

/// The wishes of whoever starts a run.
#[derive(Clone, Debug)]
pub struct Context {
    /// How much to measure.
    pub scale: Scale,
    /// A directory on the SSD.
    pub ssd: PathBuf,
    /// A directory on a RAID 0 of several SSDs, where there is one.
    pub raid: Option<PathBuf>,
}

impl Context {
    /// Without a RAID.
    pub fn of(scale: Scale, ssd: impl Into<PathBuf>) -> Context {
        Context { scale, ssd: ssd.into(), raid: None }
    }
}
