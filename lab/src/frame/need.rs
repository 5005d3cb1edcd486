// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Conditions of an experiment, looked at before anything is measured.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use ztera_machine::cgroup::Cgroup;
use ztera_machine::units::GIB;
use ztera_machine::view::built;

use super::context::{Context, Scale};
use crate::kit::filesystem;

/// One condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// To be root.
    Root,
    /// A program, and the distribution's package that has it.
    Program(&'static str, &'static str),
    /// A kernel that adds zram devices.
    Zram,
    /// Memory cgroups of our own.
    Cgroup,
    /// A directory on a block device: `--ssd`.
    Ssd,
    /// So many GiB that are free in that directory: in the quick form, and in the full one.
    Space([u64; 2]),
    /// A file of the build, and the command that makes it.
    Built(&'static str, &'static str),
    /// Spark, in the folder `SPARK_HOME`.
    Spark,
    /// A file of others, which is not kept here, and its contents. The scale of tests does without.
    Data(&'static str, &'static str),
}

impl Need {
    /// One line that says what is missing and what to do, if it is.
    pub fn missing(&self, context: &Context) -> Option<String> {
        match self {
            Need::Root => (!rustix::process::geteuid().is_root())
                .then(|| "root is needed: run the command with sudo".to_owned()),
            Need::Program(name, package) => program(name)
                .is_none()
                .then(|| format!("{name} is missing: install it with `apt-get install {package}`")),
            Need::Zram => (!Path::new("/sys/class/zram-control/hot_add").exists()).then(|| {
                "zram is missing: load it with `modprobe zram`, or boot a kernel that has it".to_owned()
            }),
            Need::Cgroup => Cgroup::create("ztera-lab-try")
                .err()
                .map(|error| format!("a memory cgroup is needed: {error}")),
            Need::Ssd => filesystem::disk(&context.ssd)
                .err()
                .map(|error| format!("a directory on an SSD is needed, name it with --ssd DIR: {error:#}")),
            Need::Space(gib) => lacks_space(context, *gib),
            Need::Built(file, command) => {
                built(file).is_none().then(|| format!("{file} is missing: make it with `{command}`"))
            }
            Need::Spark => (!has_spark(env::var_os("SPARK_HOME"))).then(|| {
                "Spark is missing: set SPARK_HOME to the folder that java/spark/fetch-spark.sh prints"
                    .to_owned()
            }),
            Need::Data(file, contents) => (context.scale != Scale::Tiny && !Path::new(file).is_file())
                .then(|| format!("{file} is missing: put {contents} there")),
        }
    }
}

/// A directory that is not there is what another need says.
fn lacks_space(context: &Context, [quick, full]: [u64; 2]) -> Option<String> {
    let gib = if context.scale == Scale::Full { full } else { quick };
    let lacks = |dir: &Path| filesystem::ensure_free(dir, gib * GIB).err();
    let error = Some(context.ssd.as_path()).filter(|dir| dir.exists()).and_then(lacks)?;
    Some(format!("{error:#}: name another directory with --ssd DIR"))
}

fn has_spark(home: Option<OsString>) -> bool {
    home.is_some_and(|home| Path::new(&home).join("bin/spark-submit").is_file())
}

/// The program's place in `PATH`.
pub fn program(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// A line per missing condition.
pub fn missing(needs: &[Need], context: &Context) -> Vec<String> {
    needs.iter().filter_map(|need| need.missing(context)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_to_do() {
        let context = Context::of(Scale::Tiny, "/dev/shm");
        let needs = [Need::Program("sh", "dash"), Need::Program("no-such", "nothing"), Need::Ssd];
        let lines = missing(&needs, &context);
        assert_eq!(lines[0], "no-such is missing: install it with `apt-get install nothing`");
        assert!(lines[1].contains("--ssd DIR") && lines[1].contains("/dev/shm"), "{lines:?}");
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn a_full_disk_is_seen_before_anything_is_measured() {
        let missing = |ssd: &str, scale, gib| Need::Space(gib).missing(&Context::of(scale, ssd));
        assert_eq!(missing(".", Scale::Quick, [0, 1 << 20]), None);
        let line = missing(".", Scale::Full, [0, 1 << 20]).unwrap();
        assert!(line.contains(" free, and ") && line.ends_with("--ssd DIR"), "{line}");
        assert_eq!(missing("/nowhere", Scale::Full, [0, 1 << 20]), None);
    }

    #[test]
    fn tests_do_without_data_of_others() {
        let need = Need::Data("no-such-corpus", "a corpus");
        let missing = |scale| need.missing(&Context::of(scale, "."));
        assert_eq!(missing(Scale::Tiny), None);
        let line = missing(Scale::Quick).unwrap();
        assert_eq!(line, "no-such-corpus is missing: put a corpus there");
    }

    #[test]
    fn spark_has_a_folder() {
        let home = tempfile::tempdir().unwrap();
        let has = || has_spark(Some(home.path().into()));
        assert!(!has_spark(None) && !has());
        std::fs::create_dir(home.path().join("bin")).unwrap();
        std::fs::write(home.path().join("bin/spark-submit"), "").unwrap();
        assert!(has());
    }

    #[test]
    fn files_of_the_build_are_looked_for() {
        let context = Context::of(Scale::Tiny, ".");
        let line = Need::Built("no-such.jar", "make java").missing(&context).unwrap();
        assert!(line.starts_with("no-such.jar") && line.ends_with("`make java`"), "{line}");
    }
}
