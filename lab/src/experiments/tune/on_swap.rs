// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Page faults on swap, with and without read-ahead.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::frame::context::{Context, Scale};
use crate::kit::data::Data;
use crate::kit::filesystem::folder_on_disk;
use crate::kit::swap::{FileSwap, ZramSwap};
use crate::kit::swap_faults::{self, Faults};
use crate::kit::zram::CODEC;

/// The place of swap.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Medium {
    /// A zram device.
    Zram,
    /// A file on the SSD.
    Ssd,
}

/// A medium with a page-cluster.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Point {
    /// The place of swap.
    pub medium: Medium,
    /// `vm.page-cluster`.
    pub page_cluster: u32,
}

/// The findings at a point.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct OnSwap {
    /// The settings.
    pub swap: Point,
    /// The faults.
    pub faults: Faults,
}

impl Point {
    /// For people.
    pub fn name(&self) -> String {
        let medium = if self.medium == Medium::Zram { "zram" } else { "SSD" };
        format!("faults on swap on {medium}, page-cluster {}", self.page_cluster)
    }
}

/// Those of a scale: tests have no SSD.
pub fn points(scale: Scale) -> Vec<Point> {
    let media: &[Medium] = if scale == Scale::Tiny { &[Medium::Zram] } else { &[Medium::Zram, Medium::Ssd] };
    let of = |medium: &Medium| [0, 3].map(|page_cluster| Point { medium: *medium, page_cluster });
    media.iter().flat_map(of).collect()
}

/// Switches swap on for as long as faults are measured.
pub fn measure(point: Point, context: &Context) -> Result<OnSwap> {
    let (len, time) = match context.scale {
        Scale::Tiny => (1 << 20, Duration::ZERO),
        Scale::Quick => (16 << 20, Duration::from_secs(1)),
        Scale::Full => (64 << 20, Duration::from_secs(10)),
    };
    // All pages differ, so that none is a page that repeats one word.
    let data = Data::synthetic(NOISE, len, 1)?;
    let faults = || swap_faults::measure(data.bytes(), point.page_cluster, time);
    let faults = with(point.medium, 4 * len as u64, &context.ssd, faults)?;
    Ok(OnSwap { swap: point, faults })
}

/// The share of random words.
const NOISE: f64 = 0.2;

fn with<T>(medium: Medium, bytes: u64, ssd: &Path, work: impl FnOnce() -> Result<T>) -> Result<T> {
    match medium {
        Medium::Zram => {
            let _swap = ZramSwap::create(bytes, CODEC, None)?;
            work()
        }
        Medium::Ssd => {
            let (folder, _) = folder_on_disk(ssd)?;
            let _swap = FileSwap::create(folder.path(), bytes)?;
            work()
        }
    }
}
