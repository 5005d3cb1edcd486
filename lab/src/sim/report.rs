// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The result of a comparison, for machines and for people.

use clap::ValueEnum;
use serde::Serialize;
use ztera_machine::units::show_size;
use ztera_sim::bound::Bound;
use ztera_sim::{Limits, Tally, Trace};

use crate::kit::table::{markdown, right_aligned};

/// The policy that decides which page is where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PolicyName {
    /// The engine
    Ours,
    /// The engine, if it unmapped one resident page of sixteen in turn, to see reads
    Looks,
    /// The page that was touched longest ago goes, from memory and from the pool
    Lru,
    /// Memory by ARC, the pool as for lru
    Arc,
    /// Memory by S3-FIFO, the pool as for lru
    S3fifo,
    /// The kernel's zram with a backing device
    Zram,
    /// A lower bound for all of them
    Opt,
}

/// One policy's figures. Those that the bound does not bound are missing there.
#[derive(Clone, Debug, Serialize)]
pub struct Arm {
    /// Whose.
    pub policy: PolicyName,
    /// Touches that found their page resident.
    pub dram_hits: Option<u64>,
    /// In the pool.
    pub pool_hits: Option<u64>,
    /// Of pages without contents.
    pub new: Option<u64>,
    /// All that did not find it resident.
    pub dram_misses: u64,
    /// On SSD.
    pub ssd_reads: u64,
    /// Bytes read there.
    pub ssd_read_bytes: Option<u64>,
    /// Pages written there.
    pub ssd_writes: Option<u64>,
    /// Their bytes there.
    pub ssd_written_bytes: u64,
    /// Faults on resident pages, to see reads of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looks: Option<u64>,
}

impl Arm {
    /// The counts.
    pub fn of_tally(policy: PolicyName, tally: Tally) -> Self {
        Self {
            policy,
            dram_hits: Some(tally.dram),
            pool_hits: Some(tally.pool),
            new: Some(tally.new),
            dram_misses: tally.misses(),
            ssd_reads: tally.ssd,
            ssd_read_bytes: Some(tally.disk.read_bytes),
            ssd_writes: Some(tally.disk.written_units),
            ssd_written_bytes: tally.disk.written_bytes,
            looks: Some(tally.looks).filter(|looks| *looks > 0),
        }
    }

    /// The bound that nobody can pass.
    pub fn of_bound(bound: Bound) -> Self {
        Self {
            policy: PolicyName::Opt,
            dram_hits: None,
            pool_hits: None,
            new: None,
            dram_misses: bound.misses,
            ssd_reads: bound.ssd_reads,
            ssd_read_bytes: None,
            ssd_writes: None,
            ssd_written_bytes: bound.written_bytes,
            looks: None,
        }
    }
}

/// A comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The trace.
    pub trace: String,
    /// Touches in it.
    pub touches: u64,
    /// Bytes compressed as one.
    pub unit_bytes: u64,
    /// Pages with contents when most had some.
    pub units: u64,
    /// Their bytes.
    pub data_bytes: u64,
    /// Their bytes if all of them were compressed.
    pub compressed_bytes: u64,
    /// DRAM for uncompressed pages.
    pub resident_limit: u64,
    /// DRAM for compressed ones; 0 = no limit.
    pub pool_limit: u64,
    /// The policies.
    pub arms: Vec<Arm>,
}

impl Report {
    /// Of `arms` with `trace`.
    pub fn new(name: String, trace: &Trace, limits: Limits, arms: Vec<Arm>) -> Self {
        let footprint = trace.footprint();
        Self {
            trace: name,
            touches: trace.touches(),
            unit_bytes: trace.unit_len,
            units: footprint.units,
            data_bytes: footprint.bytes,
            compressed_bytes: footprint.compressed,
            resident_limit: limits.resident,
            pool_limit: limits.pool,
            arms,
        }
    }

    fn arm(&self, policy: PolicyName) -> Option<&Arm> {
        self.arms.iter().find(|arm| arm.policy == policy)
    }
}

type Show = fn(&Report, &Arm) -> Option<String>;

const ROWS: [(&str, Show); 12] = [
    ("found in DRAM", |report, arm| Some(share(report, report.touches - arm.dram_misses))),
    ("found in the pool", |report, arm| Some(share(report, arm.pool_hits?))),
    ("found on SSD", |report, arm| Some(share(report, arm.ssd_reads))),
    ("without contents", |report, arm| Some(share(report, arm.new?))),
    ("not in DRAM: of ours", |report, arm| ratio(report, arm, PolicyName::Ours, |arm| arm.dram_misses)),
    ("  of the bound", |report, arm| ratio(report, arm, PolicyName::Opt, |arm| arm.dram_misses)),
    ("on SSD: of ours", |report, arm| ratio(report, arm, PolicyName::Ours, |arm| arm.ssd_reads)),
    ("  of the bound", |report, arm| ratio(report, arm, PolicyName::Opt, |arm| arm.ssd_reads)),
    ("read from SSD", |_, arm| arm.ssd_read_bytes.map(show_size)),
    ("written to SSD", |_, arm| Some(show_size(arm.ssd_written_bytes))),
    ("  pages", |_, arm| arm.ssd_writes.map(|pages| pages.to_string())),
    ("faults to see reads", |_, arm| arm.looks.map(|looks| looks.to_string())),
];

fn share(report: &Report, count: u64) -> String {
    format!("{count} ({:.2} %)", 100.0 * count as f64 / report.touches.max(1) as f64)
}

fn ratio(report: &Report, arm: &Arm, to: PolicyName, of: impl Fn(&Arm) -> u64) -> Option<String> {
    let base = of(report.arm(to)?);
    (base > 0 && arm.policy != to).then(|| format!("{:.2} x", of(arm) as f64 / base as f64))
}

/// For people.
pub fn render(report: &Report) -> String {
    let name = |policy| match policy {
        PolicyName::Ours => "ours",
        PolicyName::Looks => "ours, with looks",
        PolicyName::Lru => "LRU",
        PolicyName::Arc => "ARC",
        PolicyName::S3fifo => "S3-FIFO",
        PolicyName::Zram => "zram's rules",
        PolicyName::Opt => "bound",
    };
    let mut table = markdown(std::iter::once("").chain(report.arms.iter().map(|arm| name(arm.policy))));
    for (row, show) in ROWS {
        let cells: Vec<_> = report.arms.iter().map(|arm| show(report, arm)).collect();
        if cells.iter().any(Option::is_some) {
            let cells = cells.into_iter().map(|cell| cell.unwrap_or_default());
            table.add_row(std::iter::once(row.to_owned()).chain(cells));
        }
    }
    format!("{}\n\n{}", title(report), right_aligned(table, 1))
}

fn title(report: &Report) -> String {
    let pool = match report.pool_limit {
        0 => "a pool without limit".to_owned(),
        limit => format!("a pool of {}", show_size(limit)),
    };
    format!(
        "{}: {} touches of {} pages of {}, {} of data, {} compressed; {} resident, {pool}",
        report.trace,
        report.touches,
        report.units,
        show_size(report.unit_bytes),
        show_size(report.data_bytes),
        show_size(report.compressed_bytes),
        show_size(report.resident_limit),
    )
}
