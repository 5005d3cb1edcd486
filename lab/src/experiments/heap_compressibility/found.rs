// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings: dumps of programs, and how each compresses.

use serde::{Deserialize, Serialize};

/// All dumps of one program.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Program {
    /// Its name.
    pub program: String,
    /// By moment, in their order.
    pub dumps: Vec<Dump>,
}

/// The contents of a dump, and how it was taken.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// All pages of the heap in DRAM, garbage and gaps included: `/proc/PID/mem`.
    Heap,
    /// The old generation before a full collection: objects that have survived young ones.
    Old,
    /// Live objects by HPROF.
    Live,
    /// Live objects as a full collection left them in the old generation: `/proc/PID/mem`.
    LiveDirect,
    /// The second heap, after the program's groups moved there: `GC.h2_dump`.
    H2,
}

impl Kind {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Heap => "heap, direct",
            Kind::Old => "long-lived, direct",
            Kind::Live => "live, HPROF",
            Kind::LiveDirect => "live, direct",
            Kind::H2 => "H2",
        }
    }

    /// Whether dumps of this kind are written to zram: those of the source, and H2.
    pub fn is_on_zram(self) -> bool {
        matches!(self, Kind::Heap | Kind::Live | Kind::H2)
    }
}

/// One dump.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Dump {
    /// Its contents.
    pub kind: Kind,
    /// The moment, such as `load 50 %` or `2 s`.
    pub at: String,
    /// Bytes of all of its pages.
    pub bytes: u64,
    /// Bytes of the sample that was compressed.
    pub sample_bytes: u64,
    /// By the engine's codecs.
    pub ours: Vec<Ours>,
    /// By those of the kernel's zram, where there is zram and the kind is on it.
    pub zram: Vec<Zram>,
}

/// The sample in units of one size, by a codec of the engine.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Ours {
    /// Its name.
    pub codec: String,
    /// Whether a filter may look at units first.
    pub filters: bool,
    /// Bytes of a unit.
    pub unit_bytes: u64,
    /// How many times smaller the sample became.
    pub smaller_by: f64,
    /// Units that repeat one word, in percent.
    pub same_filled: f64,
    /// Units that are kept as they are, in percent.
    pub incompressible: f64,
    /// Of one thread in memory.
    pub speed: Speed,
}

/// The sample on a zram device.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Zram {
    /// Its codec.
    pub codec: String,
    /// `orig_data_size` by `compr_data_size`.
    pub smaller_by: f64,
    /// `orig_data_size` by `mem_used_total`.
    pub memory_smaller_by: f64,
    /// `same_pages`, in percent.
    pub same_filled: f64,
    /// `huge_pages`, in percent.
    pub incompressible: f64,
    /// Of one thread.
    pub one: Speed,
    /// Of as many threads as there are CPUs.
    pub all: Speed,
}

/// MiB per second.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Speed {
    /// Compressed, or written.
    pub write: f64,
    /// Decompressed, or read.
    pub read: f64,
}

/// The SSD, whose speed does not depend on data.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Ssd {
    /// Of one thread.
    pub ssd_one: Speed,
    /// Of as many threads as there are CPUs.
    pub ssd_all: Speed,
}

impl Program {
    /// The last dump of a kind, when most data are there.
    pub fn last(&self, kind: Kind) -> Option<&Dump> {
        self.dumps.iter().rfind(|dump| dump.kind == kind)
    }

    /// All dumps of a kind.
    pub fn all(&self, kind: Kind) -> impl Iterator<Item = &Dump> {
        self.dumps.iter().filter(move |dump| dump.kind == kind)
    }
}

impl Dump {
    /// By a codec of the engine.
    pub fn ours(&self, codec: &str, filters: bool, unit_bytes: u64) -> Option<&Ours> {
        self.ours.iter().find(|it| it.codec == codec && it.filters == filters && it.unit_bytes == unit_bytes)
    }

    /// By a codec of zram.
    pub fn zram(&self, codec: &str) -> Option<&Zram> {
        self.zram.iter().find(|it| it.codec == codec)
    }
}

/// Dumps of a program that were taken in several steps, together.
pub fn together(parts: Vec<Program>) -> Vec<Program> {
    let mut all: Vec<Program> = Vec::new();
    for part in parts {
        match all.iter_mut().find(|known| known.program == part.program) {
            Some(known) => known.dumps.extend(part.dumps),
            None => all.push(part),
        }
    }
    all
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A dump that our lz4 makes so many times smaller, zstd twice as much, and zram with lz4 as lz4.
    pub fn dump(kind: Kind, lz4: f64) -> Dump {
        let speed = Speed { write: 1000.0, read: 2000.0 };
        let ours = |codec: &str, filters, unit_bytes, smaller_by| Ours {
            codec: codec.to_owned(),
            filters,
            unit_bytes,
            smaller_by,
            same_filled: 5.0,
            incompressible: 20.0 / smaller_by,
            speed,
        };
        let units = [4 << 10, 16 << 10, 64 << 10];
        let both = |unit| {
            [false, true].into_iter().flat_map(move |filters| {
                [("lz4", lz4), ("zstd", 2.0 * lz4)].map(|(codec, by)| ours(codec, filters, unit, by))
            })
        };
        let zram = Zram {
            codec: "lz4".to_owned(),
            smaller_by: lz4,
            memory_smaller_by: lz4 * 0.9,
            same_filled: 5.0,
            incompressible: 20.0 / lz4,
            one: Speed { write: 500.0, read: 1000.0 },
            all: Speed { write: 800.0, read: 1800.0 },
        };
        Dump {
            kind,
            at: "load 95 %".to_owned(),
            bytes: 1 << 20,
            sample_bytes: 1 << 20,
            ours: units.into_iter().flat_map(both).collect(),
            zram: vec![zram],
        }
    }

    /// A program with one dump of each kind, all alike.
    pub fn program(name: &str, lz4: f64) -> Program {
        let kinds = [Kind::Heap, Kind::Old, Kind::Live, Kind::LiveDirect, Kind::H2];
        Program { program: name.to_owned(), dumps: kinds.map(|kind| dump(kind, lz4)).into() }
    }

    #[test]
    fn steps_of_a_program_come_together() {
        let of = |name: &str, kind| Program { program: name.to_owned(), dumps: vec![dump(kind, 2.0)] };
        let all = together(vec![of("a", Kind::Live), of("b", Kind::Live), of("a", Kind::H2)]);
        assert_eq!(all.len(), 2);
        assert!(all[0].last(Kind::H2).is_some() && all[1].last(Kind::H2).is_none());
    }
}
