// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use super::super::results::Results;
use super::*;
use ztera_measure::plot::drawn::words;

/// Two arms that did all, and one whose density could not be had.
fn report() -> EngineReport {
    let mut results = Results::default();
    for (arm, factor) in [("engine-lz4-4k", 1.0), ("mmap-zram-lz4", 2.0)] {
        for round in [1.0, 2.0, 4.0] {
            let touch = [(Metric::P50Seconds, 5e-6 * factor * round), (Metric::P99Seconds, 20e-6 * factor)];
            results.add(Measure::FaultRandom, arm, touch);
            for measure in [Measure::ScanSequential, Measure::StoreOneWriter, Measure::StoreAllCores] {
                results.add(measure, arm, [(Metric::MibPerSecond, 500.0 * factor * round)]);
            }
        }
        results.add(Measure::Density, arm, [(Metric::Factor, 4.0 * factor)]);
    }
    results.add(Measure::Density, "zram-lzo-rle", []);
    let mut vectors = Results::default();
    vectors.add(Measure::VectorsRandom, "engine-zstd-8k", [(Metric::Factor, 1.0)]);
    let data = DataReport::new(Origin::Real, Default::default(), results.finish());
    EngineReport {
        pages: Origin::Real,
        synthetic_noise: 0.25,
        bytes: 1 << 20,
        rounds: 3,
        cpus: 2,
        notes: vec!["mmap-ssd is left out: no disk".to_owned(), "arrays are synthetic".to_owned()],
        ratios: Default::default(),
        data: vec![data],
        vectors: vectors.finish(),
    }
}

#[test]
fn every_arm_is_in_every_plot() {
    let plots = plots(&report());
    let names: Vec<&str> = plots.iter().map(|plot| plot.name).collect();
    assert_eq!(names, ["engine-fault", "engine-scan", "engine-store", "engine-density"]);
    for plot in &plots {
        let words = words(plot);
        for word in ["engine-lz4-4k", "mmap-zram-lz4", "real pages", "mmap-ssd is left out: no disk"] {
            assert!(words.contains(word), "{word} in {}:\n{words}", plot.name);
        }
        assert!(
            !words.contains("arrays are synthetic"),
            "a note that is not about what is missing:\n{words}"
        );
    }
}

#[test]
fn values_are_those_of_the_report() {
    let report = report();
    let touches = &faults(&report).groups[0].rows[0];
    assert_eq!(touches.values[0], Some(Spread { median: 10e-6, least: 5e-6, most: 20e-6 }));
    assert_eq!((touches.values[1], touches.values[2]), (Some(Spread::exactly(20e-6)), None));
    let words = words(&store(&report));
    assert!(words.contains("1000\n") && words.contains("2000\n"), "{words}");
}

#[test]
fn density_is_a_part_of_the_pages_and_who_has_none_is_named() {
    let words = words(&density(&report()));
    assert!(words.contains("25.0 %") && words.contains("12.5 %") && words.contains("100.0 %"), "{words}");
    assert!(words.contains("zram-lzo-rle\nmissing\n"), "{words}");
    assert!(words.contains("double[], random") && !words.contains("3 decimals"), "{words}");
}
