// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All benchmarks that are experiments, and how much of each is run.

use serde_json::json;

use super::bench::{Bench, reports};
use crate::bench::{codec, defaults, disk, engine, off, pauses, spark, tiers};
use crate::frame::context::Scale;
use crate::frame::experiment::Minutes;
use crate::frame::need::Need;

const DOCUMENT: &str = "docs/performance.md";

const VIEW: Need = Need::Built("jdk/bin/java", "make jdk");
const DEMO: Need = Need::Built("ztera-demo.jar", "make java");
const INPUT: Need = Need::Built("jdk-source", "make source");

/// Codecs and filters on each kind of data.
pub const CODEC: Bench = Bench {
    name: "codec",
    about: "How small and how fast do codecs and filters make each kind of data?",
    source: DOCUMENT,
    minutes: Minutes { quick: 1, full: 3 },
    needs: &[],
    command: |scale| match scale {
        Scale::Tiny => "codec --size 1m --rounds 1",
        Scale::Quick => "codec --rounds 3",
        Scale::Full => "codec --size 64m",
    },
    takes_ssd: false,
    claims: codec::claims,
    found: reports,
};

/// The block device against the kernel's.
pub const DISK: Bench = Bench {
    name: "disk",
    about: "Does our block device take the bytes of one writer faster than zram, and in less DRAM?",
    source: DOCUMENT,
    minutes: Minutes { quick: 1, full: 6 },
    needs: &[Need::Root, Need::Zram],
    command: |scale| match scale {
        Scale::Tiny => "disk --size 4m --rounds 1",
        Scale::Quick => "disk --size 64m --rounds 2",
        Scale::Full => "disk --size 512m",
    },
    takes_ssd: false,
    claims: disk::claims,
    found: reports,
};

/// The engine without a JVM.
pub const ENGINE: Bench = Bench {
    name: "engine",
    about: "Does the engine by itself beat the kernel's zram in faults, scans, stores and density?",
    source: DOCUMENT,
    minutes: Minutes { quick: 1, full: 12 },
    needs: &[Need::Root, Need::Zram, Need::Cgroup, Need::Ssd, Need::Space([1, 2])],
    command: |scale| match scale {
        Scale::Tiny => "engine --size 16m --rounds 1",
        Scale::Quick => "engine --size 128m --rounds 3",
        Scale::Full => "engine",
    },
    takes_ssd: true,
    claims: engine::claims,
    found: reports,
};

/// The collector's pauses.
pub const PAUSES: Bench = Bench {
    name: "pauses",
    about: "Does a collection that moves data to H2, or finds H2 full, pause the program no longer than it should?",
    source: DOCUMENT,
    minutes: Minutes { quick: 1, full: 25 },
    needs: &[VIEW, DEMO, INPUT, Need::Root, Need::Zram, Need::Cgroup, Need::Ssd, Need::Space([2, 12])],
    command: |scale| match scale {
        Scale::Tiny => "pauses --move 64m --h2 64m --h1 64m --rounds 1",
        Scale::Quick => "pauses --move 256m --h2 512m --h1 128m --rounds 1",
        Scale::Full => "pauses",
    },
    takes_ssd: true,
    claims: pauses::claims,
    found: reports,
};

/// Programs that nobody tuned.
pub const DEFAULTS: Bench = Bench {
    name: "defaults",
    about: "What do programs get that give nothing but H2Size and H2Path?",
    source: DOCUMENT,
    minutes: Minutes { quick: 2, full: 600 },
    needs: &[
        VIEW,
        Need::Built("ztera-defaults.jar", "make build/ztera-defaults.jar"),
        Need::Root,
        Need::Zram,
        Need::Cgroup,
        Need::Ssd,
        Need::Space([2, 8]),
    ],
    command: |scale| match scale {
        Scale::Tiny => "defaults --quick --program profiles --factor 1.5 --limit 256m --arm none,three",
        Scale::Quick => {
            "defaults --quick --program text-index,roads,rows --factor 1.5 --limit 256m --arm none,two,three,file-ssd --patience 4 --least-seconds 20"
        }
        Scale::Full => "defaults",
    },
    takes_ssd: true,
    claims: defaults::claims,
    found: |samples| vec![json!({"cells": defaults::found(samples)})],
};

/// Spark with more cached data than DRAM: chapter 6 of the thesis.
pub const SPARK: Bench = Bench {
    name: "spark",
    about: "Does Spark with the plugin beat its own storage levels, and compressed memory a file on SSD?",
    source: "ZTera thesis, 6",
    minutes: Minutes { quick: 7, full: 2000 },
    needs: &[
        VIEW,
        Need::Spark,
        Need::Built("ztera-spark_2.13.jar", "make spark"),
        Need::Built("ztera-spark-workloads.jar", "make spark-workloads"),
        Need::Root,
        Need::Zram,
        Need::Cgroup,
        Need::Ssd,
        Need::Space([4, 16]),
    ],
    command: |scale| match scale {
        Scale::Tiny => "spark --quick --workload linear-sparse --cached 4m --arm three",
        Scale::Quick => {
            "spark --quick --workload page-rank,linear-regression,als --arm none,memory-and-disk,memory-and-disk-ser,file-ssd,file-zram,three"
        }
        Scale::Full => "spark",
    },
    takes_ssd: true,
    claims: spark::claims,
    found: |samples| vec![json!({"cells": spark::found(samples)})],
};

/// Whole programs on three tiers.
pub const TIERS: Bench = Bench {
    name: "tiers",
    about: "Do three tiers beat files, zram and swap in the same DRAM?",
    source: DOCUMENT,
    minutes: Minutes { quick: 1, full: 90 },
    needs: &[VIEW, DEMO, INPUT, Need::Root, Need::Zram, Need::Cgroup, Need::Ssd, Need::Space([2, 4])],
    command: |scale| match scale {
        Scale::Tiny => "tiers --workload vectors --limit 256m --factor 1.2 --arms tiers,file-ssd --rounds 1",
        Scale::Quick => {
            "tiers --workload vectors --limit 256m --factor 2 --arms tiers,file-ssd,file-zram,swap-ssd,swap-zram --rounds 1 --time-limit 40"
        }
        Scale::Full => "tiers",
    },
    takes_ssd: true,
    claims: tiers::claims,
    found: |samples| vec![json!({"workloads": tiers::found(samples)})],
};

/// The price of a JVM that has H2 and does not use it.
pub const OFF: Bench = Bench {
    name: "off",
    about: "Is the JVM without H2 as fast as the stock one?",
    source: DOCUMENT,
    minutes: Minutes { quick: 1, full: 40 },
    needs: &[VIEW, DEMO, INPUT],
    command: |scale| match scale {
        Scale::Tiny => "off --workload maps --rounds 1",
        Scale::Quick => "off --workload allocation,maps,full-collections,javac,threads --rounds 1",
        Scale::Full => "off --rounds 8",
    },
    takes_ssd: false,
    claims: off::claims,
    found: reports,
};

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        _bench: crate::bench::Args,
    }

    /// The thesis's main finding, compressed memory behind the SSD on every workload, was never judged: the quick form
    /// had no H2 on a file on zram. Four of the six claims of that chapter take it.
    #[test]
    fn the_quick_form_of_spark_has_the_arms_of_the_thesis() {
        let command = (SPARK.command)(Scale::Quick);
        let (_, arms) = command.split_once("--arm ").expect("it names its arms");
        let arms: Vec<&str> = arms.split(',').collect();
        assert!(["file-ssd", "file-zram", "three"].iter().all(|arm| arms.contains(arm)), "{command}");
    }

    /// `lab list` counts a claim on swap on zram, and the quick form had no such arm.
    #[test]
    fn the_quick_form_of_tiers_has_an_arm_for_each_claim() {
        let command = (TIERS.command)(Scale::Quick);
        let (_, arms) = command.split_once("--arms ").expect("it names its arms");
        let arms: Vec<&str> = arms.split([',', ' ']).collect();
        for claim in (TIERS.claims)() {
            let named = arms.iter().any(|arm| claim.claim.contains(&format!("no faster on {arm} than")));
            assert!(named, "{} is not judged by {command}", claim.claim);
        }
    }

    #[test]
    fn every_command_is_understood_at_every_scale() {
        for bench in [CODEC, DISK, ENGINE, PAUSES, DEFAULTS, SPARK, TIERS, OFF] {
            for command in [Scale::Tiny, Scale::Quick, Scale::Full].map(bench.command) {
                let words = ["bench"].into_iter().chain(command.split(' ')).chain(["--json"]);
                let ssd: &[&str] = if bench.takes_ssd { &["--ssd", "."] } else { &[] };
                let parsed = Command::try_parse_from(words.chain(ssd.iter().copied()));
                assert!(parsed.is_ok(), "{command}: {}", parsed.err().unwrap());
            }
        }
    }
}
