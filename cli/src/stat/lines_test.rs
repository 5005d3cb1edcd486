// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use std::collections::BTreeMap;

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
fn the_largest_labels_are_listed() {
    let label = |label: i64| Label {
        label,
        regions: 1,
        used_bytes: (label as u64) << 20,
        resident_bytes: 3 << 20,
        ..Label::default()
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
fn faults_are_shown_by_tier() {
    let mut times = Histogram::default();
    (0..990).for_each(|_| times.add(10_000));
    (0..10).for_each(|_| times.add(5_000_000));
    let of = |tier: &str, times| Faults { tier: tier.to_owned(), fault_ns: Times(times) };
    let info = Info { faults: vec![of("pool", times), of("ssd", Histogram::default())], ..Info::default() };
    let shown: Vec<_> = lines(&info).into_iter().filter(|(name, _)| *name == "faults").collect();
    assert_eq!(shown.len(), 1, "those of a tier that had none are not: {shown:?}");
    let text = &shown[0].1;
    assert!(
        text.starts_with("1000 of pool: p50 ") && text.contains(" us, p99 ") && text.ends_with(" ms"),
        "{text}"
    );
    let all: Vec<_> = fault_lines(&info.faults).collect();
    assert!(all[0].starts_with("faults  ") && all[0].ends_with(text), "{all:?}");
    assert!(all[1].starts_with(FAULTS[0].meaning), "{all:?}");
}

#[test]
fn what_the_program_has_to_drop_is_said() {
    let due = |due_bytes| lines(&Info { due_bytes, ..Info::default() });
    assert!(due(0).iter().all(|(name, _)| *name != "TO BE DROPPED"));
    let shown = due(3 << 20);
    let (_, text) = shown.iter().find(|(name, _)| *name == "TO BE DROPPED").expect("it is told");
    assert!(text.starts_with("3.00 MiB do not compress"), "{text}");
}

/// Operators saw in `jcmd` alone what returned, died and was written to, and why the JVM did something.
#[test]
fn what_costs_memory_and_why_is_shown() {
    let label = Label {
        label: 7,
        regions: 2,
        used_bytes: 8 << 20,
        dead_bytes: 3 << 20,
        written_bytes: 1 << 20,
        rewritten_bytes: 2 << 20,
        ..Label::default()
    };
    let decision = |uptime_seconds: f64| Decision { uptime_seconds, reason: "Label 7 is hot".to_owned() };
    let info = Info {
        returned_bytes: 5 << 20,
        labels: vec![label],
        decisions: (0..9).map(|at| decision(f64::from(at))).collect(),
        ..Info::default()
    };
    let shown = lines(&info);
    let of = |wanted: &str| {
        shown.iter().filter(|(name, _)| *name == wanted).map(|(_, text)| text).collect::<Vec<_>>()
    };
    assert!(of("moved")[0].ends_with("; 5.00 MiB returned"), "{shown:?}");
    assert_eq!(
        of("label"),
        ["7: 8.00 MiB in 2 regions, 3.00 MiB dead, 1.00 MiB written, 2.00 MiB compressed again"]
    );
    assert_eq!(of("decision").len(), DECISIONS_SHOWN);
    assert_eq!(of("decision")[4], "after 8.0 s: Label 7 is hot");
}
