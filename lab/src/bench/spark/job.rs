// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run: a workload in a fresh Spark on an arm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};
use ztera_machine::jvm_flags::value_name;
use ztera_machine::units::{flag_mib, show_size};
use ztera_machine::view::Jdk;

use super::arm::ArmName;
use super::plan::{RESERVED, Scale, Sizes};
use super::run::{Details, Key, Run};
use super::split::Split;
use crate::frame::matrix::Matrix;
use crate::kit::java_run::{Launch, gc_log};
use crate::kit::run::ProgramRun;
use crate::kit::storage::Storage;

/// The cgroups' name.
const NAME: &str = "bench-spark";

/// Settings that all runs share.
pub struct Job {
    /// The ZTera JDK.
    pub view: Jdk,
    /// The JDK of the arms without H2.
    pub stock: Jdk,
    /// Spark's folder.
    pub spark: PathBuf,
    /// The jars.
    pub jars: Jars,
    /// A directory on the SSD, and the disk's name.
    pub ssd: (PathBuf, String),
    /// How much is measured.
    pub scale: Scale,
    /// For the JVM's logs.
    pub scratch: PathBuf,
}

/// Programs for Spark, and the plugin.
pub struct Jars {
    /// The plugin.
    pub plugin: PathBuf,
    /// The programs.
    pub workloads: PathBuf,
}

impl Matrix for Job {
    type Key = Key;
    type Details = Details;

    fn name(&self, key: Key) -> String {
        let factor = key.factor.map_or(String::new(), |factor| format!(" at {factor}"));
        let seed = if key.seed == 1 { String::new() } else { format!(", seed {}", key.seed) };
        let ssd = key.ssd_read.map_or(String::new(), |rate| format!(", SSD at {} a second", show_size(rate)));
        let (workload, arm) = (value_name(&key.workload), value_name(&key.arm));
        format!("{workload} of {}{factor}, {arm}{seed}{ssd}", key.elements)
    }

    fn reference(&self, key: Key) -> Key {
        Key { arm: ArmName::None, factor: None, ssd_read: None, ..key }
    }

    /// The reference says how much is cached, and so how much DRAM the others get.
    fn run(&self, key: Key, reference: Option<&Run>, time_limit: Duration) -> Result<(Details, ProgramRun)> {
        let Some(factor) = key.factor else {
            return self.run_with(key, &Sizes::plan(&self.scale, 2 * self.scale.cached, 1.0), time_limit);
        };
        let cached = reference.and_then(|reference| reference.details.cached_bytes);
        let cached = cached.context("the reference does not say how much it cached")?;
        self.run_with(key, &Sizes::plan(&self.scale, cached, factor), time_limit)
    }
}

impl Job {
    fn run_with(&self, key: Key, sizes: &Sizes, time_limit: Duration) -> Result<(Details, ProgramRun)> {
        // A run that is stopped leaves Spark's own files behind.
        let ssd = tempfile::Builder::new().prefix("run-").tempdir_in(&self.ssd.0)?;
        let storage = key.arm.set_up(sizes, (ssd.path(), &self.ssd.1))?;
        let sizes_given = (key.arm != ArmName::None).then_some(*sizes);
        let limit_bytes = sizes_given.map(|sizes| sizes.limit);
        let mut cgroup = storage.cgroup(NAME, limit_bytes, key.arm.zram(sizes))?;
        if let Some(bytes_per_second) = key.ssd_read {
            cgroup.limit_reads(&self.ssd.1, bytes_per_second)?;
        }
        let mut command = self.command(key, sizes, &storage);
        command.env("SPARK_LOCAL_DIRS", ssd.path());
        let (name, cgroup, storage) = (&value_name(&key.arm), &cgroup, &storage);
        let ended = Launch { name, command, cgroup, storage, scratch: &self.scratch, time_limit }.run()?;
        let program = ended.program.as_ref();
        let log = fs::read_to_string(gc_log(&self.scratch)).unwrap_or_default();
        let details = Details {
            limit_bytes,
            sizes: sizes_given,
            cached_bytes: program.and_then(|program| program.cached_bytes),
            split: ended.run.work_seconds().map(|seconds| Split::of(&log, seconds)),
            compressed_times: program
                .and_then(|program| program.h2_after_queries.compression_ratio())
                .filter(|times| *times > 0.0),
        };
        Ok((details, ended.run))
    }

    /// `spark-submit` as a user types it: heap, collector, and with H2 the plugin.
    fn command(&self, key: Key, sizes: &Sizes, storage: &Storage) -> Command {
        let jdk = if key.arm.has_h2() { &self.view } else { &self.stock };
        let mut flags = key.arm.flags(sizes, storage);
        flags.push(format!("-Xlog:gc,gc+phases:file={}", gc_log(&self.scratch).display()));
        flags.push(format!("-XX:ErrorFile={}", self.scratch.join("hs_err.log").display()));
        flags.push("-XX:-CreateCoredumpOnCrash".to_owned());
        let mut command = submit(&self.spark, jdk, &flag_mib(key.arm.heap(sizes)), &flags.join(" "));
        command.current_dir(&self.scratch);
        for setting in key.arm.conf(sizes) {
            command.args(["--conf", &setting]);
        }
        if self.scale.reserved != RESERVED {
            command.args(["--conf", &format!("spark.testing.reservedMemory={}", self.scale.reserved)]);
        }
        if key.arm.has_h2() {
            command.arg("--jars").arg(&self.jars.plugin);
        }
        let shape = key.workload.shape();
        command.arg(&self.jars.workloads).arg(shape.program);
        for (option, value) in [
            ("--size", key.elements.to_string()),
            ("--storage", key.arm.level().to_owned()),
            ("--partitions", self.scale.partitions.to_string()),
            ("--iterations", shape.iterations.to_string()),
            ("--data", shape.data.to_owned()),
            ("--seed", key.seed.to_string()),
        ] {
            command.args([option, &value]);
        }
        command
    }
}

/// `spark-submit` of our programs in local mode, with this heap and these options of the JVM. It lacks the jar, and the
/// program's arguments.
pub fn submit(spark: &Path, jdk: &Jdk, heap: &str, options: &str) -> Command {
    let mut command = Command::new(spark.join("bin/spark-submit"));
    command.env("JAVA_HOME", jdk.home()).env("SPARK_HOME", spark);
    command.args(["--master", "local[2]", "--class", "org.ztera.lab.spark.Main"]);
    command.args(["--driver-memory", heap, "--driver-java-options", options]);
    QUIET.iter().for_each(|setting| _ = command.args(["--conf", setting]));
    command
}

/// Settings of all arms: the better serialiser, no page for people, no network beyond this machine, no chatter.
const QUIET: [&str; 5] = [
    "spark.serializer=org.apache.spark.serializer.KryoSerializer",
    "spark.ui.enabled=false",
    "spark.driver.host=localhost",
    "spark.driver.bindAddress=127.0.0.1",
    "spark.log.level=ERROR",
];

#[cfg(test)]
mod tests {
    use ztera_machine::units::GIB;

    use super::*;
    use crate::bench::spark::plan::tests::SCALE;
    use crate::bench::spark::workload::Workload;

    fn words(arm: ArmName) -> String {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("bin")).unwrap();
        fs::write(dir.path().join("bin/java"), "").unwrap();
        let jdk = Jdk::at(dir.path()).unwrap();
        let job = Job {
            view: jdk.clone(),
            stock: jdk,
            spark: "/spark".into(),
            jars: Jars { plugin: "/plugin.jar".into(), workloads: "/workloads.jar".into() },
            ssd: ("/ssd".into(), "sda".to_owned()),
            scale: SCALE,
            scratch: "/scratch".into(),
        };
        let key = Key {
            workload: Workload::LinearSparse,
            elements: 7,
            arm,
            factor: Some(2.5),
            seed: 1,
            ssd_read: None,
        };
        let storage = Storage::Ssd("/ssd".into(), "sda".to_owned());
        let command = job.command(key, &Sizes::plan(&SCALE, 3 * GIB, 2.5), &storage);
        command.get_args().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn spark_is_started_as_users_do() {
        let three = words(ArmName::Three);
        for part in [
            "--driver-memory 614m --driver-java-options -XX:+UseParallelGC -XX:H2Size=6144m -XX:H2Path=/ssd",
            "--conf spark.plugins=org.ztera.spark.ZTeraPlugin --jars /plugin.jar /workloads.jar LinearRegression --size 7",
            "--storage MEMORY_AND_DISK --partitions 8 --iterations 8 --data sparse --seed 1",
        ] {
            assert!(three.contains(part), "{part} in\n{three}");
        }
        let stock = words(ArmName::DiskOnly);
        assert!(!stock.contains("H2") && !stock.contains("plugin") && stock.contains("DISK_ONLY"), "{stock}");
    }
}
