// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The programs on cached data, and their sizes. See `lab/workloads/spark`.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A program with one kind of data.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    /// GraphX's ranks
    PageRank,
    /// GraphX's components
    ConnectedComponents,
    /// GraphX's distances
    ShortestPaths,
    /// GraphX's triangles
    TriangleCount,
    /// SVD++ on a graph of ratings
    Svd,
    /// Gradient descent of MLlib on uniform doubles, which nothing compresses
    LinearRegression,
    /// The same with another loss
    LogisticRegression,
    /// The same with another loss
    Svm,
    /// MLlib's alternating least squares
    Als,
    /// Three queries of TPC-H on cached Datasets
    Sql,
    /// `linear-regression` on doubles that are multiples of a sixteenth
    LinearQuantised,
    /// `linear-regression` on vectors with one in ten values
    LinearSparse,
}

/// The data of a workload, by the thesis's distinction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// GraphX.
    Graph,
    /// Dense vectors of doubles with random bits.
    Dense,
    /// Anything that the thesis does not have.
    Other,
}

/// The arguments of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The program's name.
    pub program: &'static str,
    /// The features of points.
    pub data: &'static str,
    /// Vertices, points, users or orders that make about 1 MiB of cached data, in thousandths.
    pub per_mib: u64,
    /// Passes over the data.
    pub iterations: u32,
}

impl Workload {
    /// The ten that count, those of the thesis first.
    pub const TEN: [Workload; 10] = [
        Workload::PageRank,
        Workload::ConnectedComponents,
        Workload::ShortestPaths,
        Workload::TriangleCount,
        Workload::Svd,
        Workload::LinearRegression,
        Workload::LogisticRegression,
        Workload::Svm,
        Workload::Als,
        Workload::Sql,
    ];

    /// Those of the quick form.
    pub const QUICK: [Workload; 6] = [
        Workload::PageRank,
        Workload::ConnectedComponents,
        Workload::ShortestPaths,
        Workload::LinearRegression,
        Workload::Als,
        Workload::Sql,
    ];

    /// The ten, and other data for one of them.
    pub const ALL: [Workload; 12] = {
        let mut all = [Workload::LinearQuantised; 12];
        let mut i = 0;
        while i < Self::TEN.len() {
            all[i] = Self::TEN[i];
            i += 1;
        }
        all[11] = Workload::LinearSparse;
        all
    };

    /// The kind of its data.
    pub fn kind(self) -> Kind {
        match self {
            Workload::PageRank
            | Workload::ConnectedComponents
            | Workload::ShortestPaths
            | Workload::TriangleCount
            | Workload::Svd => Kind::Graph,
            Workload::LinearRegression | Workload::LogisticRegression | Workload::Svm => Kind::Dense,
            Workload::Als | Workload::Sql | Workload::LinearQuantised | Workload::LinearSparse => Kind::Other,
        }
    }

    /// Whether it is one of the thesis's eight.
    pub fn is_of_thesis(self) -> bool {
        self.kind() != Kind::Other
    }

    /// The arguments.
    pub fn shape(self) -> Shape {
        let shape = |program, per_mib, iterations| Shape { program, data: "uniform", per_mib, iterations };
        match self {
            Workload::PageRank => shape("PageRank", 82_000, 3),
            Workload::ConnectedComponents => shape("ConnectedComponents", 135_000, 3),
            Workload::ShortestPaths => shape("ShortestPaths", 36_000, 1),
            Workload::TriangleCount => shape("TriangleCount", 77_000, 1),
            Workload::Svd => shape("SVDPlusPlus", 43_000, 1),
            Workload::LinearRegression => shape("LinearRegression", 1_229_000, 8),
            Workload::LogisticRegression => shape("LogisticRegression", 1_229_000, 8),
            Workload::Svm => shape("SVM", 1_229_000, 8),
            Workload::Als => shape("ALS", 353_000, 2),
            Workload::Sql => shape("SQL", 2_950_000, 4),
            Workload::LinearQuantised => Shape { data: "quantised", ..Workload::LinearRegression.shape() },
            Workload::LinearSparse => {
                Shape { data: "sparse", per_mib: 5_155_000, ..Workload::LinearRegression.shape() }
            }
        }
    }

    /// How many vertices, points, users or orders make so many bytes of cached data.
    pub fn elements(self, bytes: u64) -> u64 {
        ((u128::from(bytes) * u128::from(self.shape().per_mib) / 1000) >> 20) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ztera_machine::units::MIB;

    #[test]
    fn eight_are_the_thesis_s_and_ten_count() {
        assert_eq!(Workload::TEN.iter().filter(|workload| workload.is_of_thesis()).count(), 8);
        assert!(Workload::TEN.iter().all(|ten| Workload::ALL.contains(ten)));
        for workload in Workload::value_variants() {
            assert_eq!(Workload::ALL.iter().filter(|one| *one == workload).count(), 1, "{workload:?}");
        }
    }

    #[test]
    fn elements_follow_from_bytes() {
        assert_eq!(Workload::LinearRegression.elements(100 * MIB), 122_900);
        assert_eq!(Workload::Sql.elements(0), 0);
    }
}
