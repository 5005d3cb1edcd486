// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use super::*;
use crate::bench::pauses::report::Found;
use crate::kit::move_run::Measured;
use ztera_measure::plot::drawn::words;

fn report() -> PausesReport {
    let run = |pause: f64| Measured {
        move_pause: pause,
        phases: vec![("H2 Copy".to_owned(), 1.5), ("Marking Phase".to_owned(), 0.25)],
        ..Measured::default()
    };
    let collected = |kind: Kind, arm: &str, pauses: &[f64]| {
        CollectionResult::of(kind, arm, pauses.to_vec(), &[], vec![0.0])
    };
    PausesReport {
        moved_bytes: 1 << 30,
        moved_data: "mixed".to_owned(),
        h2_bytes: 8 << 30,
        h1_bytes: 256 << 20,
        rounds: 2,
        cpus: 2,
        notes: vec!["file-zram is left out: no root".to_owned()],
        ratios: Default::default(),
        figures: Vec::new(),
        found: Found {
            moves: [MoveResult::of("tier", &[run(1.9), run(2.1)]), MoveResult::of("file-ssd", &[run(4.0)])]
                .into_iter()
                .flatten()
                .collect(),
            collections: [
                collected(Kind::Full, "no-h2", &[0.25]),
                collected(Kind::Young, "h2-clean", &[0.002, 0.004]),
            ]
            .into_iter()
            .flatten()
            .collect(),
        },
    }
}

#[test]
fn parts_of_a_move_add_up_to_the_pause() {
    let plot = moves(&report());
    let tier = &plot.groups[0].rows[0];
    let parts: Vec<f64> = tier.values.iter().flatten().map(|part| part.median).collect();
    assert_eq!(parts, [0.25, 0.0, 1.5, 0.25]);
    assert_eq!(tier.sum, Some(Spread { median: 2.0, least: 1.9, most: 2.1 }));
    let words = words(&plot);
    for word in
        ["tier", "2.0 s", "file-ssd", "4.0 s", "H2 Copy", "the rest", "file-zram is left out: no root"]
    {
        assert!(words.contains(word), "{word} in\n{words}");
    }
}

#[test]
fn collections_are_young_and_full() {
    let plot = collections(&report());
    assert_eq!(plot.groups[0].rows[0].values, [Some(Spread { median: 0.003, least: 0.002, most: 0.004 })]);
    let words = words(&plot);
    for word in ["young collections", "h2-clean", "full collections", "no-h2"] {
        assert!(words.contains(word), "{word} in\n{words}");
    }
}
