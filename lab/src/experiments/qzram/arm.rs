// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The devices.

use std::thread;

use ztera_codec::Settings;
use ztera_disk::{Config, Denser, Offload, OffloadOptions, UnitSize, Verify};

/// A device that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm {
    /// In tables and keys.
    pub name: &'static str,
    /// The device.
    pub kind: Kind,
}

/// The kind of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The kernel's, with a codec.
    Zram(&'static str),
    /// Ours.
    Ours(Ours),
}

/// A setting of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ours {
    codec: &'static str,
    /// Bytes of a unit.
    pub unit: u32,
    model: Option<Model>,
}

/// How the model of an accelerator is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    /// With batches and load balance.
    Balanced,
    /// With neither: the QZRAM paper's direct offloading.
    Direct,
}

const PAGE: u32 = 4 << 10;

/// The QZRAM paper's zram is the second. Units of a page are what it compresses.
pub const ALL: &[Arm] = &[
    zram("zram-lzo-rle", "lzo-rle"),
    zram("zram-lzo", "lzo"),
    zram("zram-lz4", "lz4"),
    ours("ours-lz4", "lz4", PAGE, None),
    ours("ours-deflate", "deflate", PAGE, None),
    ours("ours-model", "deflate", PAGE, Some(Model::Balanced)),
    ours("ours-model-direct", "deflate", PAGE, Some(Model::Direct)),
    ours("ours-model-16k", "deflate", 4 * PAGE, Some(Model::Balanced)),
];

const fn zram(name: &'static str, codec: &'static str) -> Arm {
    Arm { name, kind: Kind::Zram(codec) }
}

const fn ours(name: &'static str, codec: &'static str, unit: u32, model: Option<Model>) -> Arm {
    Arm { name, kind: Kind::Ours(Ours { codec, unit, model }) }
}

impl Ours {
    /// Threads that compress, as `ztera disk serve` has them.
    pub fn threads(&self) -> usize {
        let cpus = thread::available_parallelism().map_or(1, usize::from);
        cpus * if self.model.is_some() { 2 } else { 1 }
    }

    /// Options of `ztera disk serve`.
    pub fn options(&self) -> Vec<String> {
        let unit = self.unit.to_string();
        let mut all = vec!["--codec", self.codec, "--unit", &unit];
        if self.model.is_some() {
            // QZRAM does not decode what its device made.
            all.extend(["--accelerator", "model", "--accelerator-check", "sums"]);
        }
        if self.model == Some(Model::Direct) {
            all.push("--accelerator-direct");
        }
        all.into_iter().map(str::to_owned).collect()
    }

    /// The same in this process.
    pub fn config(&self, size: u64) -> Config {
        let codec = |text: &str| text.parse::<Settings>().expect("a codec of the table");
        let offload = |model| Offload {
            backend: "model".parse().expect("there is one"),
            options: OffloadOptions {
                verify: Verify::Sums,
                cpus: thread::available_parallelism().map_or(1, usize::from),
                direct: model == Model::Direct,
                ..OffloadOptions::default()
            },
        };
        Config {
            size,
            unit: UnitSize::new(self.unit as usize).expect("a size of the table"),
            memory_limit: None,
            codec: codec(self.codec),
            denser: Denser { codecs: vec![codec("zstd:12")], after: None },
            threads: self.threads(),
            ssd: None,
            accelerator: self.model.map(offload),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_uses_the_model_is_called_so() {
        for arm in ALL {
            let Kind::Ours(ours) = arm.kind else { continue };
            let options = ours.options();
            assert_eq!(arm.name.contains("model"), options.contains(&"model".to_owned()), "{}", arm.name);
            assert_eq!(arm.name.ends_with("direct"), options.contains(&"--accelerator-direct".to_owned()));
            assert_eq!(ours.config(1 << 20).accelerator.is_some(), arm.name.contains("model"));
        }
    }
}
