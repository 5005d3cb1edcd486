// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Programs of other people, and how each is started.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use ztera_machine::view::{Jdk, given_or_built};

use crate::bench::spark::{self, Workload};
use crate::kit::java_run;

/// A program of other people.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// For steps and plots.
    pub name: &'static str,
    /// The program, for people.
    pub about: &'static str,
    /// How it is started.
    pub start: Start,
}

/// How a program is started.
#[derive(Clone, Copy, Debug)]
pub enum Start {
    /// A library under a program of `java/defaults`, which says how far it is and groups its data.
    Library,
    /// A launcher of the JDK with these arguments.
    Tool(&'static str, fn(&Inputs) -> Result<Vec<String>>),
    /// A main class of the libraries from Maven Central with these arguments.
    Main(&'static str, fn(&Inputs) -> Result<Vec<String>>),
    /// A program for Spark, which keeps its data in Spark's cache.
    Spark(Workload),
}

/// Programs for Spark, if there is one: `SPARK_HOME`.
pub fn for_spark() -> Vec<Program> {
    let program = |workload: Workload| {
        let name = workload.shape().program;
        Program { name, about: "Spark, with data in its cache", start: Start::Spark(workload) }
    };
    let workloads = env::var_os("SPARK_HOME").map(|_| Workload::TEN);
    workloads.into_iter().flatten().map(program).collect()
}

/// All of them.
pub const ALL: [Program; 12] = [
    Program { name: "text-index", about: "Lucene's index in the heap", start: Start::Library },
    Program { name: "sql", about: "the H2 database in memory", start: Start::Library },
    Program { name: "roads", about: "graphs of JGraphT", start: Start::Library },
    Program { name: "profiles", about: "Caffeine's cache", start: Start::Library },
    Program {
        name: "javac",
        about: "javac compiles java.util and java.lang",
        start: Start::Tool("javac", |inputs| {
            let classes = inputs.folder("classes")?;
            let rest = ["-nowarn", "-proc:none", "-XDignore.symbol.file=true", "-d"].map(str::to_owned);
            Ok([&rest[..], &[classes], &inputs.java_base()?].concat())
        }),
    },
    Program {
        name: "javadoc",
        about: "javadoc documents java.util and java.lang",
        start: Start::Tool("javadoc", |inputs| {
            let rest = ["-quiet", "-Xdoclint:none", "-d"].map(str::to_owned);
            Ok([&rest[..], &[inputs.folder("doc")?], &inputs.java_base()?].concat())
        }),
    },
    Program {
        name: "jshell",
        about: "jshell evaluates two thousand snippets",
        start: Start::Tool("jshell", |inputs| {
            Ok(vec!["--execution=local".to_owned(), "-s".to_owned(), inputs.snippets(2000)?])
        }),
    },
    Program {
        name: "jlink",
        about: "jlink makes an image of java.se",
        start: Start::Tool("jlink", |inputs| {
            let image = inputs.path("image");
            let rest = ["--add-modules", "java.se,jdk.compiler", "--compress", "zip-6", "--output"];
            Ok([&rest.map(str::to_owned)[..], &[image]].concat())
        }),
    },
    Program {
        name: "ecj",
        about: "Eclipse's compiler compiles java.xml",
        start: Start::Main("org.eclipse.jdt.internal.compiler.batch.Main", |inputs| {
            let rest = ["-nowarn", "-proceedOnError", "-proc:none", "-source", "21", "-target", "21"];
            let rest = rest.iter().chain(&["-d", "none"]).map(|&word| word.to_owned());
            Ok(rest.chain([inputs.source("src/java.xml/share/classes")?]).collect())
        }),
    },
    Program {
        name: "checkstyle",
        about: "Checkstyle reads java.base",
        start: Start::Main("com.puppycrawl.tools.checkstyle.Main", |inputs| {
            let rules = ["-c", "/sun_checks.xml", "-o"].map(str::to_owned);
            let source = inputs.source("src/java.base/share/classes/java")?;
            Ok([&rules[..], &[inputs.path("checkstyle.txt"), source]].concat())
        }),
    },
    Program {
        name: "saxon",
        about: "Saxon's XQuery over Unicode's locale data",
        start: Start::Main("net.sf.saxon.Query", |inputs| {
            let data = inputs.source("make/data/cldr/common/main")?;
            let query = format!(
                "-qs:let $all := collection('file://{data}?select=*.xml') return \
                 sum(for $day in 1 to 1000 return count($all//*[@type = string($day)]))"
            );
            Ok(vec![query])
        }),
    },
    Program {
        name: "clojure",
        about: "Clojure compiles core.async",
        start: Start::Main("clojure.lang.Compile", |_| {
            let names = ["clojure.core.async", "clojure.tools.analyzer.jvm", "clojure.tools.reader"];
            Ok(names.map(str::to_owned).into())
        }),
    },
];

/// The folder that programs may write to, and their input.
pub struct Inputs<'a> {
    /// The program's own.
    pub scratch: &'a Path,
    /// The source tree of the JDK.
    pub jdk_source: PathBuf,
}

impl Inputs<'_> {
    fn path(&self, name: &str) -> String {
        self.scratch.join(name).display().to_string()
    }

    fn folder(&self, name: &str) -> Result<String> {
        fs::create_dir_all(self.scratch.join(name))?;
        Ok(self.path(name))
    }

    fn source(&self, folder: &str) -> Result<String> {
        let path = self.jdk_source.join(folder);
        ensure!(path.is_dir(), "{} is not there: run `make source`", path.display());
        Ok(path.display().to_string())
    }

    /// Arguments that make two packages of java.base sources of that module.
    fn java_base(&self) -> Result<Vec<String>> {
        let roots = ["share", "unix", "linux"]
            .map(|part| self.jdk_source.join(format!("src/java.base/{part}/classes")).display().to_string());
        let mut files = Vec::new();
        for package in ["java/util", "java/lang"] {
            java_files(
                Path::new(&self.source(&format!("src/java.base/share/classes/{package}"))?),
                &mut files,
            )?;
        }
        fs::write(self.scratch.join("files"), files.join("\n"))?;
        let patch = format!("java.base={}", roots.join(":"));
        Ok(vec!["--patch-module".to_owned(), patch, format!("@{}", self.path("files"))])
    }

    /// A file of declarations and expressions.
    fn snippets(&self, count: usize) -> Result<String> {
        let snippet = |n: usize| {
            format!(
                "record Point{n}(int x, int y) {{ int sum() {{ return x + y + {n}; }} }}\n\
                 var points{n} = java.util.stream.IntStream.range(0, 100).mapToObj(i -> new Point{n}(i, {n})).toList();"
            )
        };
        let text: Vec<String> = (0..count).map(snippet).collect();
        fs::write(self.scratch.join("snippets.jsh"), text.join("\n"))?;
        Ok(self.path("snippets.jsh"))
    }
}

/// Without descriptions of packages, of which javac takes one alone.
fn java_files(folder: &Path, files: &mut Vec<String>) -> Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            java_files(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "java") && !path.ends_with("package-info.java") {
            files.push(path.display().to_string());
        }
    }
    Ok(())
}

impl Program {
    /// A JVM with `flags` that runs it in `scratch`, with so much live data where that can be chosen.
    pub fn command(&self, jdk: &Jdk, flags: &[String], live_mib: u32, scratch: &Path) -> Result<Command> {
        let inputs = || -> Result<Inputs> {
            let source = given_or_built(None, "jdk-source", "run `make source`")?;
            Ok(Inputs { scratch, jdk_source: fs::canonicalize(source)? })
        };
        let mut command = match self.start {
            Start::Library => {
                let jar = given_or_built(None, "ztera-defaults.jar", "run `make build/ztera-defaults.jar`")?;
                let mut command =
                    java_run::command(&jdk.tool("java"), flags, scratch, &fs::canonicalize(jar)?);
                let live = live_mib.to_string();
                command.args(["org.ztera.defaults.Defaults", self.name, &live, "1"]).arg(scratch);
                command
            }
            Start::Tool(name, arguments) => {
                let mut command = Command::new(jdk.tool(name));
                command.args(flags.iter().map(|flag| format!("-J{flag}"))).args(arguments(&inputs()?)?);
                command
            }
            Start::Main(class, arguments) => {
                let libraries = given_or_built(None, "ztera-heaps", "run `make heaps`")?;
                let libraries = fs::canonicalize(libraries)?;
                let libraries = libraries.to_str().context("the build's path must be UTF-8")?;
                let mut command = Command::new(jdk.tool("java"));
                command.args(flags).arg(format!("-Dclojure.compile.path={}", scratch.display()));
                command.args(["-cp", &format!("{libraries}/*"), class]).args(arguments(&inputs()?)?);
                command
            }
            Start::Spark(workload) => on_spark(workload, jdk, flags, live_mib, scratch)?,
        };
        command.current_dir(scratch);
        Ok(command)
    }
}

/// Spark takes the heap by an option of its own.
fn on_spark(
    workload: Workload,
    jdk: &Jdk,
    flags: &[String],
    live_mib: u32,
    scratch: &Path,
) -> Result<Command> {
    let spark = PathBuf::from(env::var_os("SPARK_HOME").context("there is no SPARK_HOME")?);
    let jar = given_or_built(None, "ztera-spark-workloads.jar", "run `make spark-workloads`")?;
    let heap = flags.iter().find_map(|flag| flag.strip_prefix("-Xmx")).context("no heap is given")?;
    let options: Vec<&str> =
        flags.iter().map(String::as_str).filter(|flag| !flag.starts_with("-Xmx")).collect();
    let mut command = spark::submit(&spark, jdk, heap, &options.join(" "));
    command.env("SPARK_LOCAL_DIRS", scratch).arg(fs::canonicalize(jar)?).arg(workload.shape().program);
    let elements = workload.elements(u64::from(live_mib) << 20).to_string();
    // More passes than there is time for: it ends when it has been dumped.
    command.args([
        "--size",
        &elements,
        "--storage",
        "MEMORY_ONLY",
        "--partitions",
        "32",
        "--iterations",
        "50",
    ]);
    command.args(["--data", workload.shape().data]);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_programs_have_names_of_their_own() {
        let names: std::collections::BTreeSet<&str> = ALL.iter().map(|program| program.name).collect();
        assert!(names.len() == ALL.len() && names.len() >= 12, "{names:?}");
        assert!(ALL.iter().all(|program| !program.about.is_empty()));
    }

    #[test]
    fn javac_is_given_each_file_once() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().join("src/java.base/share/classes/java");
        for (package, file) in [("lang", "A.java"), ("util", "B.java"), ("util", "package-info.java")] {
            fs::create_dir_all(base.join(package)).unwrap();
            fs::write(base.join(package).join(file), "").unwrap();
        }
        let inputs = Inputs { scratch: folder.path(), jdk_source: folder.path().to_owned() };
        let arguments = inputs.java_base().unwrap();
        assert!(arguments[1].starts_with("java.base=") && arguments[1].ends_with("linux/classes"));
        let files = fs::read_to_string(folder.path().join("files")).unwrap();
        let ends: Vec<&str> = files.lines().map(|line| line.rsplit('/').next().unwrap()).collect();
        assert_eq!(ends, ["B.java", "A.java"]);
        assert!(inputs.source("make").unwrap_err().to_string().ends_with("run `make source`"));
    }
}
