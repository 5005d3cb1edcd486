// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Sizes and limits of a device.

use std::io;

use ztera_codec::Settings;
use ztera_policy::admission::reserve;
use ztera_store::{SsdConfig, Store, UnitSize};

use crate::accelerator::Offload;
use crate::upkeep::{Denser, MOST_CODECS};

/// Sizes and limits of a device.
#[derive(Clone, Debug)]
pub struct Config {
    /// Bytes that it shows: a multiple of 512.
    pub size: u64,
    /// How much is compressed as one. A write of less costs a read of the rest.
    pub unit: UnitSize,
    /// Most bytes of compressed objects in DRAM, at least 1 MiB; `None` = no limit.
    pub memory_limit: Option<u64>,
    /// Codec for new objects.
    pub codec: Settings,
    /// Denser codecs for objects that nobody wants now.
    pub denser: Denser,
    /// Threads that will use it.
    pub threads: usize,
    /// The SSD tier; `None` = there is none.
    pub ssd: Option<SsdConfig>,
    /// The accelerator; `None` = there is none. The device's codec or a denser one must be deflate.
    pub accelerator: Option<Offload>,
}

/// The least memory limit: with less the pool has no chunk for each class of objects.
const LEAST_LIMIT: u64 = 1 << 20;

impl Config {
    #[cfg(test)]
    /// A device of 1 MiB in units of 16 KiB with an SSD tier in `dir`, for unit tests.
    pub(crate) fn small(dir: &std::path::Path) -> Self {
        Self {
            size: 1 << 20,
            unit: UnitSize::new(16 << 10).expect("a unit's size"),
            memory_limit: Some(1 << 20),
            codec: Settings::default(),
            denser: Denser::default(),
            threads: 1,
            ssd: Some(SsdConfig { limit: Some(8 << 20), ..SsdConfig::new(dir) }),
            accelerator: None,
        }
    }

    /// Units that it has; an error if it is none that can be.
    pub(crate) fn units(&self) -> io::Result<u32> {
        let invalid = |why: &str| io::Error::new(io::ErrorKind::InvalidInput, why);
        if self.size == 0 || !self.size.is_multiple_of(512) {
            return Err(invalid("the device's size must be a multiple of 512 bytes, and not 0"));
        }
        if self.memory_limit.is_some_and(|limit| limit < LEAST_LIMIT) {
            return Err(invalid("the memory limit must be at least 1 MiB"));
        }
        if self.denser.codecs.len() > MOST_CODECS {
            return Err(invalid("a device has at most three denser codecs"));
        }
        u32::try_from(self.size.div_ceil(self.unit.bytes() as u64))
            .map_err(|_| invalid("the device is too large for units of this size: take larger ones"))
    }

    /// Its store, empty and without an accelerator.
    pub(crate) fn store(&self, units: u32) -> io::Result<Store> {
        let store = Store::new(ztera_store::Config {
            unit: self.unit,
            units,
            pool_max: self.memory_limit,
            // Nothing is staged: a write has ended when its units are stored.
            staging_limit: 0,
            staging_strict: true,
            codec: self.codec,
            dense: None,
            threads: self.threads,
            ssd: self.ssd.clone(),
        })?;
        let kept = self.memory_limit.map_or(0, |limit| reserve(limit / self.unit.bytes() as u64));
        Ok(store.with_reserve(kept))
    }
}
