// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The programs that are swept.

use std::env;
use std::ffi::OsString;
use std::iter;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use clap::ValueEnum;
use ztera_npb::{Class, Kernel};

/// The nine codes of the study.
const CODES: [&str; 9] = ["bt", "cg", "ep", "ft", "is", "lu", "mg", "sp", "ua"];

/// A command to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The name in tables.
    pub name: String,
    /// The NAS kernel that it is.
    pub kernel: Option<String>,
    command: Vec<OsString>,
}

impl Program {
    /// Any command.
    pub fn any(command: &[OsString]) -> Program {
        let file = command.first().map(Path::new).and_then(Path::file_name).unwrap_or_default();
        Program { name: file.to_string_lossy().into_owned(), kernel: None, command: command.to_vec() }
    }

    /// A kernel of ours, on so many threads. The running program must be `ztera-lab`.
    pub fn ours(kernel: Kernel, class: Class, threads: usize) -> Result<Program> {
        let value = kernel.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        let threads = threads.to_string();
        let class = format!("{class:?}");
        let words = ["bench", "npb", &value, &class, "--threads", &threads].map(OsString::from);
        let command = iter::once(env::current_exe()?.into_os_string()).chain(words).collect();
        Ok(Program { name: format!("{value} {class}"), kernel: Some(value), command })
    }

    /// The original codes of a class that are in a folder, or in its folder `bin`.
    pub fn originals(folder: &Path, class: Class) -> Result<Vec<Program>> {
        let places = [folder.to_owned(), folder.join("bin")];
        let found = |code: &str| {
            let name = format!("{code}.{class:?}.x");
            let file = places.iter().map(|place| place.join(&name)).find(|file| file.is_file())?;
            let name = format!("{code} {class:?}, original");
            Some(Program { name, kernel: Some(code.to_owned()), command: vec![file.into()] })
        };
        let programs: Vec<Program> = CODES.iter().filter_map(|code| found(code)).collect();
        if programs.is_empty() {
            bail!("{} has no NPB code of class {class:?}, such as is.{class:?}.x", folder.display());
        }
        Ok(programs)
    }

    /// The command, ready to start.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn original_codes_are_found_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("bin")).unwrap();
        for file in ["bin/is.A.x", "ua.A.x", "is.B.x", "readme"] {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let programs = Program::originals(folder.path(), Class::A).unwrap();
        let names: Vec<_> = programs.iter().map(|program| program.name.as_str()).collect();
        assert_eq!(names, ["is A, original", "ua A, original"]);
        let error = Program::originals(folder.path(), Class::C).unwrap_err().to_string();
        assert!(error.contains("no NPB code of class C"), "{error}");
    }

    #[test]
    fn a_command_is_called_after_its_file() {
        assert_eq!(Program::any(&["/bin/dd".into(), "bs=1".into()]).name, "dd");
    }
}
