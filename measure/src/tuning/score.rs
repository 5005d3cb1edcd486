// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The best candidate: a pure function of measurements and weights.

use clap::ValueEnum;
use serde::Serialize;

use super::measured::Measured;
use super::weights::Weights;

/// How qualities are brought to one scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Formula {
    /// Each quality is compared with the best: from 0 to 1
    Bounded,
    /// As the Zram notes have it: latency is compared with the worst, and may count for far more than its weight
    #[value(alias = "seed")]
    Notes,
}

/// The part of each quality in a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Parts {
    /// Of MiB per second.
    pub throughput: f64,
    /// Of reads per second.
    pub iops: f64,
    /// Of the mean time of a read.
    pub latency: f64,
    /// Of the ratio of compression.
    pub ratio: f64,
}

impl Parts {
    /// The score.
    pub fn sum(&self) -> f64 {
        self.throughput + self.iops + self.latency + self.ratio
    }

    /// With their names.
    pub fn named(&self) -> [(&'static str, f64); 4] {
        [
            ("throughput", self.throughput),
            ("iops", self.iops),
            ("latency", self.latency),
            ("ratio", self.ratio),
        ]
    }
}

/// A candidate and its score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scored {
    /// How it did.
    #[serde(flatten)]
    pub measured: Measured,
    /// The sum of its parts.
    pub score: f64,
    /// Its parts.
    pub parts: Parts,
}

/// All candidates, the best first.
pub fn rank(measured: &[Measured], weights: Weights, formula: Formula) -> Vec<Scored> {
    let most = |of: fn(&Measured) -> f64| measured.iter().map(of).fold(f64::MIN_POSITIVE, f64::max);
    let (throughput, iops, ratio) = (most(|it| it.mib_per_second), most(|it| it.iops), most(|it| it.ratio));
    let latency = match formula {
        Formula::Bounded => measured.iter().map(|it| it.mean_ns).fold(f64::INFINITY, f64::min),
        Formula::Notes => most(|it| it.mean_ns),
    };
    let scored = |it: &Measured| {
        let parts = Parts {
            throughput: weights.throughput * it.mib_per_second / throughput,
            iops: weights.iops * it.iops / iops,
            latency: weights.latency * latency / it.mean_ns.max(f64::MIN_POSITIVE),
            ratio: weights.ratio * it.ratio / ratio,
        };
        Scored { measured: it.clone(), score: parts.sum(), parts }
    };
    let mut ranked: Vec<Scored> = measured.iter().map(scored).collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    ranked
}

/// The least weight of the ratio, in hundredths, with which another codec wins, and the winner then.
pub fn turning_point(measured: &[Measured], weights: Weights, formula: Formula) -> Option<(f64, Scored)> {
    let winner = |weights| rank(measured, weights, formula).into_iter().next();
    let now = winner(weights)?;
    let heavier = (1..=100).map(|percent| f64::from(percent) / 100.0).filter(|ratio| *ratio > weights.ratio);
    let winners = heavier.filter_map(|ratio| Some((ratio, winner(weights.with_ratio(ratio))?)));
    winners.into_iter().find(|(_, other)| other.measured.codec != now.measured.codec)
}

/// Why the first of `ranked` won, in sentences.
pub fn reasons(ranked: &[Scored], turn: Option<&(f64, Scored)>) -> Vec<String> {
    let Some(first) = ranked.first() else { return Vec::new() };
    let mut reasons = Vec::new();
    if let Some(other) = ranked.iter().find(|it| it.measured.codec != first.measured.codec) {
        let gains = first.parts.named().into_iter().zip(other.parts.named());
        let mut gains: Vec<_> = gains.map(|((name, own), (_, its))| (name, own - its)).collect();
        gains.sort_by(|a, b| b.1.total_cmp(&a.1));
        let shown: Vec<String> = gains
            .iter()
            .filter(|(_, gain)| gain.abs() >= 0.0005)
            .map(|(name, gain)| format!("{name} {gain:+.3}"))
            .collect();
        reasons.push(format!(
            "{} has {:.3}, and the next codec, {}, {:.3}: {}.",
            name(&first.measured),
            first.score,
            name(&other.measured),
            other.score,
            shown.join(", ")
        ));
    }
    reasons.push(match turn {
        Some((ratio, other)) => format!(
            "{} would win if the ratio had a weight of {ratio:.2}, and the others their proportions.",
            name(&other.measured)
        ),
        None => "A greater weight of the ratio changes nothing.".to_owned(),
    });
    reasons
}

/// For people.
pub fn name(measured: &Measured) -> String {
    format!("{} with page-cluster {}", measured.codec, measured.page_cluster)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::{File, ZRAM_NOTES};

    fn notes() -> Vec<Measured> {
        let file: File = serde_json::from_str(ZRAM_NOTES).unwrap();
        assert_eq!(file.measured.len(), 16);
        file.measured
    }

    fn place(ranked: &[Scored], codec: &str, page_cluster: u32) -> usize {
        let is_it = |it: &Scored| it.measured.codec == codec && it.measured.page_cluster == page_cluster;
        1 + ranked.iter().position(is_it).unwrap()
    }

    /// The scores that the notes' own program prints for their table.
    #[test]
    fn the_scores_of_the_notes_are_reproduced() {
        let ranked = rank(&notes(), Weights::default(), Formula::Notes);
        let of = |codec, cluster| format!("{:.4}", ranked[place(&ranked, codec, cluster) - 1].score);
        assert_eq!((of("lz4", 0).as_str(), of("lz4", 3).as_str()), ("10.1333", "2.0615"));
        assert_eq!((of("lzo", 0).as_str(), of("lzo-rle", 2).as_str()), ("7.2416", "2.6071"));
        assert_eq!((of("zstd", 0).as_str(), of("zstd", 3).as_str()), ("3.3398", "0.8526"));
    }

    /// The notes' text recommends zstd with page-cluster 0 for daily use. Their score prefers lz4, and would do so with
    /// nearly every weight: latency counts up to 24 times as much as its weight says.
    #[test]
    fn the_notes_contradict_themselves() {
        let ranked = rank(&notes(), Weights::default(), Formula::Notes);
        assert_eq!((place(&ranked, "lz4", 0), place(&ranked, "zstd", 0)), (1, 8));
        assert!(ranked[0].parts.latency > 0.9 * ranked[0].score);
        let (ratio, other) = turning_point(&notes(), Weights::default(), Formula::Notes).unwrap();
        assert!(ratio > 0.97 && other.measured.codec == "zstd", "{ratio}");
    }

    /// On one scale both answers of the notes are right, each for its weights.
    #[test]
    fn bounded_scores_agree_with_either() {
        let ranked = rank(&notes(), Weights::default(), Formula::Bounded);
        assert_eq!(place(&ranked, "lz4", 0), 1);
        assert!(ranked.iter().all(|it| it.score <= 1.0));
        let (ratio, other) = turning_point(&notes(), Weights::default(), Formula::Bounded).unwrap();
        assert!((0.7..0.76).contains(&ratio), "{ratio}");
        assert_eq!(name(&other.measured), "zstd with page-cluster 0");
        let reasons = reasons(&ranked, Some(&(ratio, other)));
        assert!(
            reasons[0].starts_with("lz4 with page-cluster 0 has 0.851, and the next codec, lzo-rle"),
            "{reasons:?}"
        );
        assert!(reasons[0].contains("latency +0.0") && reasons[0].contains("ratio -0.0"), "{reasons:?}");
        assert!(reasons[1].starts_with("zstd with page-cluster 0 would win"), "{reasons:?}");
    }

    #[test]
    fn one_candidate_or_none_is_no_trouble() {
        let one = &notes()[..1];
        let ranked = rank(one, Weights::default(), Formula::Bounded);
        assert_eq!(ranked[0].score, 1.0);
        assert_eq!(turning_point(one, Weights::default(), Formula::Bounded), None);
        assert_eq!(reasons(&ranked, None), ["A greater weight of the ratio changes nothing."]);
        assert_eq!(rank(&[], Weights::default(), Formula::Notes), []);
    }
}
