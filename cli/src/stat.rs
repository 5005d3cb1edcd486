// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera stat`: the second heap of a running JVM, by `jcmd PID GC.h2_info json`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;
use ztera_machine::jcmd::Jcmd;
use ztera_machine::units::{parse_positive, show_seconds, show_size};
use ztera_metrics::{ALL, Stats};

/// Show the second heap of a running JVM: what it holds, what it has of the memory limit, where its pages are, how well
/// they compress
///
/// Asks the JVM by its attach mechanism, as jcmd does; so run it as the same user, and in the same container.
#[derive(clap::Args)]
pub struct Args {
    /// The JVM's process id (`jcmd -l` lists them)
    pid: u32,
    /// Ask again every so many seconds until the JVM ends
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive)]
    interval: Option<f64>,
    /// Print the JVM's JSON as it is, one object per line
    #[arg(long)]
    json: bool,
    /// Print every statistic of the tier below, with its unit and meaning
    #[arg(long, conflicts_with = "json")]
    all: bool,
    /// The JDK whose jcmd is used [default: the one that the JVM runs on, else the one that `make` built]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
}

/// Asks once, or again and again.
pub fn run(args: &Args) -> Result<ExitCode> {
    let jcmd = Jcmd::of(args.pid, args.jdk.as_deref())?;
    show(&jcmd.h2_info()?, args)?;
    let Some(interval) = args.interval else { return Ok(ExitCode::SUCCESS) };
    let interval = Duration::from_secs_f64(interval);
    loop {
        thread::sleep(interval);
        if !jcmd.is_alive() {
            return Ok(ExitCode::SUCCESS);
        }
        if !args.json {
            println!();
        }
        show(&jcmd.h2_info()?, args)?;
    }
}

fn show(info: &Value, args: &Args) -> Result<()> {
    if args.json {
        println!("{info}");
        return Ok(());
    }
    let info: Info = serde_json::from_value(info.clone()).context("the JVM's answer lacks something")?;
    match info {
        Info { enabled: false, .. } => {
            println!("This is a ZTera JVM, and its second heap is off: give it -XX:H2Size.")
        }
        info if args.all => match &info.engine {
            Some(Engine(stats)) => all_lines(stats).for_each(|line| println!("{line}")),
            None => println!("There is no tier below this heap, but a file: it has no statistics."),
        },
        info => lines(&info).iter().for_each(|(name, value)| println!("{name:<18} {value}")),
    }
    Ok(())
}

/// The output of `GC.h2_info json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Info {
    enabled: bool,
    backing: String,
    capacity_bytes: u64,
    used_bytes: u64,
    region_bytes: u64,
    regions_total: u64,
    regions_used: u64,
    regions_freed: u64,
    tags: u64,
    moved_objects: u64,
    moved_bytes: u64,
    moves: u64,
    last_move_seconds: f64,
    labels: Vec<Label>,
    memory: Option<Memory>,
    engine: Option<Engine>,
}

/// How the memory limit was last divided.
#[derive(Debug, Deserialize)]
struct Memory {
    limit_bytes: u64,
    h1_bytes: u64,
    /// The needs of the JVM besides both heaps.
    beside_bytes: u64,
    staging_bytes: u64,
    h2_bytes: u64,
}

#[derive(Debug, Deserialize)]
struct Label {
    /// Negative for what belongs to several groups.
    label: i64,
    regions: u64,
    used_bytes: u64,
    #[serde(default)]
    resident_bytes: u64,
    #[serde(default)]
    ssd_bytes: u64,
}

/// The tier below H2. An older JVM does not tell all of it, and a newer one more than this command knows.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "BTreeMap<String, u64>")]
struct Engine(Stats);

impl From<BTreeMap<String, u64>> for Engine {
    fn from(told: BTreeMap<String, u64>) -> Self {
        let mut stats = Stats::default();
        for (name, value) in told {
            stats.set(&name, value);
        }
        Self(stats)
    }
}

/// Uncompressed size of what is compressed in DRAM.
fn pooled(stats: &Stats) -> u64 {
    stats.orig_data_size.saturating_sub(stats.bd_data_size)
}

/// Every statistic: its value, and what that means.
fn all_lines(stats: &Stats) -> impl Iterator<Item = String> {
    ALL.iter().zip(stats.values()).map(|(statistic, value)| {
        format!("{:<22} {value:>16} {:<6} {}", statistic.name, statistic.unit.name(), statistic.meaning)
    })
}

/// How many labels are listed.
const LABELS_SHOWN: usize = 10;

fn lines(info: &Info) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("second heap", format!("{} of {} used", show_size(info.used_bytes), show_size(info.capacity_bytes))),
        ("backing", info.backing.clone()),
        (
            "regions",
            format!(
                "{} of {} used, each {}; {} died so far",
                info.regions_used,
                info.regions_total,
                show_size(info.region_bytes),
                info.regions_freed
            ),
        ),
        (
            "moved",
            format!(
                "{} objects, {}, by {} collections; the last one took {}",
                info.moved_objects,
                show_size(info.moved_bytes),
                info.moves,
                show_seconds(info.last_move_seconds)
            ),
        ),
        ("tagged roots", info.tags.to_string()),
    ];
    if info.engine.is_some() {
        lines.extend(memory_lines(info.memory.as_ref()));
    }
    lines.extend(info.engine.iter().flat_map(|Engine(stats)| engine_lines(stats)));
    lines.extend(label_lines(&info.labels));
    lines
}

fn memory_lines(memory: Option<&Memory>) -> Vec<(&'static str, String)> {
    let Some(memory) = memory else {
        return vec![("memory", "not divided before the first collection".to_owned())];
    };
    let parts = [
        ("H1", memory.h1_bytes),
        ("H2", memory.h2_bytes),
        ("staging", memory.staging_bytes),
        ("beside them", memory.beside_bytes),
    ];
    let shown = parts.map(|(part, bytes)| format!("{part} {}", show_size(bytes))).join(", ");
    let mut lines = vec![("memory", format!("{} limit: {shown}", show_size(memory.limit_bytes)))];
    let sum: u64 = parts.iter().map(|(_, bytes)| bytes).sum();
    if sum > memory.limit_bytes {
        let over = show_size(sum - memory.limit_bytes);
        lines.push((
            "OVER THE LIMIT",
            format!("by {over}, as H2 always has its least; lower -Xmx, or raise the limit"),
        ));
    }
    lines
}

fn engine_lines(engine: &Stats) -> Vec<(&'static str, String)> {
    let limit =
        |bytes| if bytes == 0 { "no limit".to_owned() } else { format!("limit {}", show_size(bytes)) };
    let ratio = pooled(engine) as f64 / engine.mem_used_total.max(1) as f64;
    let mut lines = vec![
        ("resident", format!("{} ({})", show_size(engine.resident_bytes), limit(engine.resident_limit))),
        ("staged", format!("{} wait for compression", show_size(engine.staged_bytes))),
        (
            "compressed",
            format!(
                "{} in {} ({}): {ratio:.2} times smaller; the codec alone {:.2}",
                show_size(pooled(engine)),
                show_size(engine.mem_used_total),
                limit(engine.mem_limit),
                pooled(engine) as f64 / engine.compr_data_size.max(1) as f64
            ),
        ),
        (
            "special pages",
            format!("{} hold one repeated word, {} did not compress", engine.same_pages, engine.huge_pages),
        ),
        (
            "traffic",
            format!(
                "{} faults; {} units dropped clean, {} compressed again, {} made smaller when idle",
                engine.fault_count, engine.evicted_clean, engine.evicted_dirty, engine.recompressed_units
            ),
        ),
    ];
    if engine.bd_limit > 0 {
        lines.extend(ssd_lines(engine));
    }
    if engine.over_limit_bytes > 0 {
        lines.push((
            "POOL FULL",
            format!("{} more resident than allowed", show_size(engine.over_limit_bytes)),
        ));
    }
    lines
}

fn ssd_lines(engine: &Stats) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        (
            "on SSD",
            format!(
                "{} in {} (limit {})",
                show_size(engine.bd_data_size),
                show_size(engine.bd_used),
                show_size(engine.bd_limit)
            ),
        ),
        (
            "SSD traffic",
            format!(
                "{} written, {} read; {} units demoted, {} promoted",
                show_size(engine.bd_write_bytes),
                show_size(engine.bd_read_bytes),
                engine.demoted_units,
                engine.promoted_units
            ),
        ),
    ];
    if engine.writes_per_day > 0 {
        let (left, most) = (show_size(engine.writeback_limit), show_size(engine.writes_per_day));
        lines.push(("SSD today", format!("{left} of {most} may still be written")));
    }
    if engine.bd_errors > 0 {
        lines.push((
            "SSD ERRORS",
            format!("{} reads or writes failed; see the kernel's log", engine.bd_errors),
        ));
    }
    lines
}

fn label_lines(labels: &[Label]) -> Vec<(&'static str, String)> {
    let mut labels: Vec<&Label> = labels.iter().collect();
    labels.sort_by_key(|label| std::cmp::Reverse(label.used_bytes));
    let line = |l: &&Label| {
        let places = [("resident", l.resident_bytes), ("on SSD", l.ssd_bytes)];
        let some = places.iter().filter(|(_, bytes)| *bytes > 0);
        let places: String = some.map(|(place, bytes)| format!(", {} {place}", show_size(*bytes))).collect();
        format!("{}: {} in {} regions{places}", l.label, show_size(l.used_bytes), l.regions)
    };
    let mut lines: Vec<_> = labels.iter().take(LABELS_SHOWN).map(|l| ("label", line(l))).collect();
    if labels.len() > LABELS_SHOWN {
        lines.push(("", format!("and {} smaller labels", labels.len() - LABELS_SHOWN)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_below_h2_has_no_engine_lines() {
        let info = Info { enabled: true, backing: "file".to_owned(), ..Info::default() };
        assert!(lines(&info).iter().all(|(name, _)| *name != "compressed"));
    }

    fn division(h1_mib: u64, h2_mib: u64) -> Memory {
        let [limit_bytes, h1_bytes, beside_bytes, staging_bytes, h2_bytes] =
            [512, h1_mib, 100, 16, h2_mib].map(|mib| mib << 20);
        Memory { limit_bytes, h1_bytes, beside_bytes, staging_bytes, h2_bytes }
    }

    #[test]
    fn the_division_of_memory_is_shown_where_there_is_one() {
        let tier = Info { enabled: true, engine: Some(Engine::default()), ..Info::default() };
        let shown =
            |info: &Info| lines(info).into_iter().find(|(name, _)| *name == "memory").map(|(_, text)| text);
        assert_eq!(shown(&tier).as_deref(), Some("not divided before the first collection"));
        let divided = Info { memory: Some(division(96, 300)), ..tier };
        assert_eq!(
            shown(&divided).as_deref(),
            Some("512 MiB limit: H1 96.0 MiB, H2 300 MiB, staging 16.0 MiB, beside them 100 MiB")
        );
        let file = Info { engine: None, memory: None, ..divided };
        assert_eq!(shown(&file), None);
    }

    #[test]
    fn more_than_the_limit_is_said() {
        assert_eq!(memory_lines(Some(&division(96, 300))).len(), 1);
        let over = memory_lines(Some(&division(400, 48)));
        assert_eq!(over[1].0, "OVER THE LIMIT");
        assert!(over[1].1.starts_with("by 52.0 MiB"), "{}", over[1].1);
    }

    #[test]
    fn what_is_on_ssd_is_not_counted_as_compressed() {
        let base = Stats { orig_data_size: 300 << 20, mem_used_total: 50 << 20, ..Stats::default() };
        assert!(engine_lines(&base).iter().all(|(name, _)| *name != "on SSD"));
        let engine =
            Stats { bd_data_size: 200 << 20, bd_used: 60 << 20, bd_limit: 1 << 30, bd_errors: 3, ..base };
        let lines = engine_lines(&engine);
        let of = |wanted: &str| &lines.iter().find(|(name, _)| *name == wanted).unwrap().1;
        assert!(of("compressed").starts_with("100 MiB in 50.0 MiB (no limit): 2.00 times"), "{lines:?}");
        assert_eq!(of("on SSD"), "200 MiB in 60.0 MiB (limit 1.00 GiB)");
        assert!(of("SSD ERRORS").starts_with("3 reads or writes failed"));
    }

    #[test]
    fn labels_of_the_vm_are_understood() {
        let json = r#"{"enabled":true,"labels":[{"label":-1,"regions":1,"used_bytes":9}]}"#;
        let info: Info = serde_json::from_str(json).unwrap();
        assert_eq!(info.labels[0].label, -1);
    }

    #[test]
    fn the_largest_labels_are_listed() {
        let label = |label: i64| Label {
            label,
            regions: 1,
            used_bytes: (label as u64) << 20,
            resident_bytes: 3 << 20,
            ssd_bytes: 0,
        };
        let lines = label_lines(&(1..=12).map(label).collect::<Vec<_>>());
        assert_eq!(lines.len(), LABELS_SHOWN + 1);
        assert_eq!(lines[0].1, "12: 12.0 MiB in 1 regions, 3.00 MiB resident");
        assert_eq!(lines[LABELS_SHOWN].1, "and 2 smaller labels");
    }

    #[test]
    fn compression_is_shown_with_and_without_the_allocator() {
        let engine = Stats {
            orig_data_size: 300 << 20,
            compr_data_size: 75 << 20,
            mem_used_total: 100 << 20,
            ..Stats::default()
        };
        let text = engine_lines(&engine).into_iter().find(|(name, _)| *name == "compressed").unwrap().1;
        assert_eq!(text, "300 MiB in 100 MiB (no limit): 3.00 times smaller; the codec alone 4.00");
    }

    #[test]
    fn every_statistic_of_the_vm_is_shown() {
        let told = ALL.iter().zip(1..).map(|(statistic, value)| (statistic.name.to_owned(), value)).collect();
        let Engine(stats) =
            serde_json::from_value(serde_json::to_value::<BTreeMap<String, u64>>(told).unwrap()).unwrap();
        let shown: Vec<_> = all_lines(&stats).collect();
        assert_eq!(shown.len(), ALL.len());
        for ((statistic, line), value) in ALL.iter().zip(&shown).zip(1..) {
            let words: Vec<_> = line.split_whitespace().take(3).collect();
            assert_eq!(words, [statistic.name, &format!("{value}"), statistic.unit.name()]);
            assert!(line.ends_with(statistic.meaning), "{line}");
        }
    }

    #[test]
    fn a_newer_vm_may_tell_more() {
        let info: Info =
            serde_json::from_str(r#"{"enabled":true,"engine":{"same_pages":7,"new_one":1}}"#).unwrap();
        assert_eq!(info.engine.unwrap().0, Stats { same_pages: 7, ..Stats::default() });
    }
}
