// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Finds what was built: the JDK view, the stock JDK below it, and the jars.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// A JDK: a directory that works as `JAVA_HOME`.
#[derive(Clone, Debug, PartialEq)]
pub struct Jdk {
    home: PathBuf,
}

/// The engine in a JDK.
const ENGINE: &str = "lib/libztera.so";

impl Jdk {
    /// The JDK in `home`.
    pub fn at(home: &Path) -> Result<Jdk> {
        if !home.join("bin/java").is_file() {
            bail!("{} is no JDK: there is no bin/java in it", home.display());
        }
        Ok(Jdk { home: home.to_owned() })
    }

    /// The JDK with ZTera's JVM: `given`, that of `$ZTERA_HOME`, the one whose `bin` this executable is in, or what
    /// `make` built.
    pub fn view(given: Option<&Path>) -> Result<Jdk> {
        let home = match given {
            Some(home) => home.to_owned(),
            None => own().context("no JDK view found: run `make`, set ZTERA_HOME, or give --jdk")?,
        };
        let jdk = Jdk::at(&home)?;
        if !home.join(ENGINE).is_file() {
            bail!("{} is a JDK without ZTera: there is no {ENGINE} in it", home.display());
        }
        Ok(jdk)
    }

    /// The stock JDK that the view was made from: `given`, or what the view says.
    pub fn stock(given: Option<&Path>, view: &Jdk) -> Result<Jdk> {
        match (given, view.release("ZTERA_BASE_JDK")) {
            (Some(home), _) => Jdk::at(home),
            (None, Some(base)) => Jdk::at(Path::new(&base)),
            (None, None) => bail!("{} does not name its stock JDK: give --stock", view.home.display()),
        }
    }

    /// A launcher such as `java` or `jcmd`.
    pub fn tool(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }

    /// The directory.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// A value of the JDK's `release` file.
    pub fn release(&self, key: &str) -> Option<String> {
        release_value(&fs::read_to_string(self.home.join("release")).ok()?, key)
    }
}

/// A file or folder that `make` put into `build/`. It is looked for below `$ZTERA_HOME`, beside this executable, in the
/// package that this executable is part of, and in the clone that it was compiled in.
pub fn built(name: &str) -> Option<PathBuf> {
    let home = env::var_os("ZTERA_HOME").map(PathBuf::from);
    candidates(home, env::current_exe().ok(), name).into_iter().find(|path| path.exists())
}

/// The file or folder that the user gave, else the [`built`] one. An error that says what to do if there is none.
pub fn given_or_built(given: Option<&Path>, name: &str, remedy: &str) -> Result<PathBuf> {
    match given.map(Path::to_owned).or_else(|| built(name)) {
        Some(path) if path.exists() => Ok(path),
        Some(path) => bail!("{} does not exist: {remedy}", path.display()),
        None => bail!("{name} was not found: {remedy}"),
    }
}

/// Where ZTera's JDK is, if nobody says.
fn own() -> Option<PathBuf> {
    match env::var_os("ZTERA_HOME") {
        Some(_) => built("jdk"),
        None => package().or_else(|| built("jdk")),
    }
}

/// The JDK that `make dist` packs this executable into.
fn package() -> Option<PathBuf> {
    let home = env::current_exe().ok()?.ancestors().nth(2)?.to_owned();
    home.join("lib/libztera.so").is_file().then_some(home)
}

fn candidates(home: Option<PathBuf>, exe: Option<PathBuf>, name: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = home.into_iter().map(|home| home.join(name)).collect();
    if let Some(exe) = exe {
        paths.extend(exe.parent().map(|dir| dir.join(name)));
        paths.extend(exe.ancestors().nth(2).map(|home| home.join("lib/ztera").join(name)));
        paths.extend(exe.ancestors().skip(2).map(|dir| dir.join("build").join(name)));
    }
    paths
}

fn release_value(text: &str, key: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name == key).then(|| value.trim_matches('"').to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ztera_home_goes_first_then_the_neighbours_of_the_executable() {
        let found = candidates(Some("/opt/z".into()), Some("/src/target/release/ztera".into()), "jdk");
        let expected = [
            "/opt/z/jdk",
            "/src/target/release/jdk",
            "/src/target/lib/ztera/jdk",
            "/src/target/build/jdk",
            "/src/build/jdk",
            "/build/jdk",
        ];
        assert_eq!(found, expected.map(PathBuf::from));
    }

    #[test]
    fn release_values_lose_their_quotes() {
        let text = "JAVA_VERSION=\"25.0.3\"\nZTERA_BASE_JDK=\"/opt/jdk\"\n";
        assert_eq!(release_value(text, "ZTERA_BASE_JDK").as_deref(), Some("/opt/jdk"));
        assert_eq!(release_value(text, "ZTERA"), None);
    }

    #[test]
    fn a_directory_without_java_is_refused() {
        let error = Jdk::at(Path::new("/nowhere")).unwrap_err().to_string();
        assert!(error.contains("/nowhere is no JDK"), "{error}");
    }
}
