// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! JVMs by what a user calls them.

use anyhow::{Result, bail};

use super::list::{Listed, all, listed};
use super::running::Jvm;

/// The JVMs that `jcmd` would take by this: the process id, or part of the main class's name.
pub fn find(called: &str) -> Result<Vec<Listed>> {
    if let Ok(pid) = called.parse::<u32>() {
        Jvm::of(pid)?;
        let main = listed(pid).map(|jvm| jvm.main).unwrap_or_default();
        return Ok(vec![Listed { pid, main }]);
    }
    let all = all();
    let found = matching(&all, called);
    if found.is_empty() {
        bail!("no JVM has `{called}` in the name of its main class; these run: {}", names(&all));
    }
    Ok(found)
}

/// The only one of these.
pub fn one(called: &str) -> Result<Jvm> {
    match find(called)?.as_slice() {
        [only] => Jvm::of(only.pid),
        several => bail!("several JVMs are called so: {}; name one by its process id", names(several)),
    }
}

fn matching(all: &[Listed], called: &str) -> Vec<Listed> {
    all.iter().filter(|jvm| !called.is_empty() && jvm.main.contains(called)).cloned().collect()
}

fn names(jvms: &[Listed]) -> String {
    let names: Vec<_> =
        jvms.iter().map(|jvm| format!("{} {}", jvm.pid, jvm.main).trim().to_owned()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jvm(pid: u32, main: &str) -> Listed {
        Listed { pid, main: main.to_owned() }
    }

    #[test]
    fn a_part_of_the_main_class_is_enough() {
        let all = [jvm(7, "org.app.Main"), jvm(8, "org.app.Worker"), jvm(9, "")];
        assert_eq!(matching(&all, "app.W"), [jvm(8, "org.app.Worker")]);
        assert_eq!(matching(&all, "app").len(), 2);
        assert!(matching(&all, "").is_empty() && matching(&all, "other").is_empty());
    }

    #[test]
    fn an_error_names_what_there_is() {
        assert_eq!(names(&[jvm(7, "a.Main"), jvm(9, "")]), "7 a.Main, 9");
        assert_eq!(names(&[]), "none");
        let error = find("no.such.Class.anywhere").unwrap_err().to_string();
        assert!(error.starts_with("no JVM has `no.such.Class.anywhere` in"), "{error}");
    }
}
