// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The nature of pages, for machines and for people.

use std::path::PathBuf;

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use ztera_machine::units::show_size;

use super::by_class::{ByClass, Stored};
use super::census::{Compression, Packing, Units};
use super::hprof::{Count, Heap, Tally};

/// All of it.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The dump, or the process.
    pub source: String,
    /// Where the pages are; `None` if they were not kept.
    pub pages: Option<PathBuf>,
    /// Bytes of all pages.
    pub bytes: u64,
    /// Of a dump only.
    pub heap: Option<HeapReport>,
    /// How they compress.
    pub compression: Compression,
    /// How they would by objects, if that was asked for.
    pub by_class: Option<ByClass>,
}

/// The contents of a dump.
#[derive(Clone, Debug, Serialize)]
pub struct HeapReport {
    /// Bytes of a reference, as written.
    pub reference_bytes: usize,
    /// By kind.
    #[serde(flatten)]
    pub tally: Tally,
}

impl From<Heap> for HeapReport {
    fn from(heap: Heap) -> Self {
        Self { reference_bytes: heap.references.bytes(), tally: heap.tally }
    }
}

/// For people.
pub fn render(report: &Report) -> String {
    let mut text = format!("{}: {} of pages", report.source, show_size(report.bytes));
    if let Some(pages) = &report.pages {
        text.push_str(&format!(", in {}", pages.display()));
    }
    if let Some(heap) = &report.heap {
        text.push_str(&format!(
            "; references take {} bytes\n\n{}",
            heap.reference_bytes,
            objects(&heap.tally, report.bytes)
        ));
    }
    text.push_str(&format!("\n\n{}", compression(&report.compression, report.bytes)));
    text.extend(report.by_class.as_ref().map(by_class));
    text
}

fn objects(tally: &Tally, all: u64) -> String {
    let arrays = tally
        .primitive_arrays
        .iter()
        .map(|(element, &count)| (format!("{element:?}[]").to_lowercase(), count));
    let mut rows: Vec<(String, Count)> = arrays.collect();
    rows.push(("instances".to_owned(), tally.instances));
    rows.push(("arrays of references".to_owned(), tally.reference_arrays));
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(count.bytes));
    let row = |(name, count): (String, Count)| {
        [name, count.objects.to_string(), show_size(count.bytes), percent(count.bytes, all)]
    };
    table(&["", "objects", "bytes", ""], rows.into_iter().map(row))
}

fn compression(found: &Compression, all: u64) -> String {
    let smaller = |units: &Units, packing: &Packing| match packing.stored_bytes {
        0 => "-".to_owned(),
        stored => format!("{:.2}", units.bytes() as f64 / stored as f64),
    };
    let row = |units: &Units| {
        [
            show_size(units.unit_bytes as u64),
            percent(units.same_filled_units, units.units),
            smaller(units, &units.lz4),
            percent(units.lz4.incompressible_units, units.units),
            smaller(units, &units.zstd),
            percent(units.zstd.incompressible_units, units.units),
        ]
    };
    let header =
        ["unit", "one word", "lz4: smaller by", "does not shrink", "zstd: smaller by", "does not shrink"];
    let table = table(&header, found.units.iter().map(row));
    let of = match found.one_block_in {
        1 => "all pages".to_owned(),
        every => format!(
            "a sample: {} of {}, one block of 16 KiB in {every}; --sample 0 takes all",
            show_size(found.measured_bytes),
            show_size(all)
        ),
    };
    format!("{table}\nCompressed: {of}. {NOTE}")
}

/// Units of 16 KiB, and what objects would make of them.
fn by_class(found: &ByClass) -> String {
    let ByClass { plain, columns, shared, equal_bytes, bytes } = found;
    let smaller = |it: u64, plain: u64| format!("{:+.1} %", 100.0 * (it as f64 / plain.max(1) as f64 - 1.0));
    let row =
        |name: &str, it: &Stored| [name.to_owned(), smaller(it.lz4, plain.lz4), smaller(it.zstd, plain.zstd)];
    let rows = [row("fields of a class in columns, if smaller", columns), row("equal objects once", shared)];
    let table = table(&["units of 16 KiB, stored bytes", "lz4", "zstd"], rows.into_iter());
    let equal = percent(*equal_bytes, *bytes);
    format!(
        "\n\n{table}\nObjects that are equal to an earlier one have {equal} of all bytes. Nothing is counted for the order of \
         objects, and for the identity of equal ones."
    )
}

/// Notes for readers of the table.
const NOTE: &str = "Units that repeat one word take no memory, those that do not shrink to 7/8 are kept as they are; \
                    both are part of the factor. The engine's pool and tables are not.";

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

fn table<const N: usize>(header: &[&str], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN).set_header(header);
    rows.for_each(|row| {
        table.add_row(row);
    });
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::super::hprof::Width;
    use super::super::hprof::types::Type;
    use super::*;

    fn report(one_block_in: u64) -> Report {
        let count = |objects, bytes| Count { objects, bytes };
        let tally = Tally {
            instances: count(3, 72),
            reference_arrays: count(1, 24),
            primitive_arrays: [(Type::Byte, count(2, 4000))].into(),
        };
        let packing = |stored_bytes, incompressible_units| Packing { stored_bytes, incompressible_units };
        let units = Units {
            unit_bytes: 4096,
            units: 4,
            same_filled_units: 1,
            lz4: packing(8192, 1),
            zstd: packing(4096, 0),
        };
        Report {
            source: "a.hprof".to_owned(),
            pages: Some("a.pages".into()),
            bytes: 16384,
            heap: Some(Heap { tally, references: Width::Narrow }.into()),
            compression: Compression { measured_bytes: 16384, one_block_in, units: vec![units] },
            by_class: None,
        }
    }

    #[test]
    fn people_see_what_there_is_most_of_first() {
        let text = render(&report(1));
        assert!(
            text.starts_with("a.hprof: 16.0 KiB of pages, in a.pages; references take 4 bytes\n"),
            "{text}"
        );
        assert!(text.find("byte[]") < text.find("instances"), "{text}");
        assert!(
            text.contains("| 4.00 KiB |   25.0 % |            2.00 |          25.0 % |             4.00 |"),
            "{text}"
        );
        assert!(text.contains("Compressed: all pages."), "{text}");
    }

    #[test]
    fn a_sample_is_said_to_be_one() {
        assert!(render(&report(5)).contains("one block of 16 KiB in 5; --sample 0 takes all"));
    }

    #[test]
    fn objects_are_held_against_units_as_they_are() {
        let stored = |lz4, zstd| Stored { lz4, zstd };
        let found = ByClass {
            plain: stored(1000, 500),
            columns: stored(900, 505),
            shared: stored(1000, 400),
            equal_bytes: 250,
            bytes: 2000,
        };
        let text = render(&Report { by_class: Some(found), ..report(1) });
        for words in ["-10.0 %", "+1.0 %", "+0.0 %", "-20.0 %", "have 12.5 % of all bytes"] {
            assert!(text.contains(words), "{words} in\n{text}");
        }
    }

    #[test]
    fn machines_see_all() {
        let json = serde_json::to_value(report(1)).unwrap();
        assert_eq!(json["heap"]["primitive_arrays"]["byte"]["bytes"], 4000);
        assert_eq!(json["heap"]["reference_bytes"], 4);
        assert_eq!(json["compression"]["units"][0]["zstd"]["stored_bytes"], 4096);
    }
}
