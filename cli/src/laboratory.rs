// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench`, `lab` and `sim`: another program, which packages do not have.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use ztera_machine::view::given_or_built;

/// Its commands. Its own help describes them.
const WORDS: [&str; 3] = ["bench", "lab", "sim"];
const PROGRAM: &str = "ztera-lab";
const REMEDY: &str =
    "packages do not have it; run `make rust` in a clone of ZTera, and use the `build/ztera` there";

/// If a command of the laboratory is called, or its help: becomes that program. It returns only if it could not.
pub fn start(arguments: &[OsString]) -> Option<Result<ExitCode>> {
    let (own_name, words) = arguments.split_first()?;
    let command = words.iter().find(|word| *word != "help")?;
    WORDS.iter().any(|word| command == word).then(|| {
        let program = given_or_built(None, PROGRAM, REMEDY)?;
        // By this name its help is about `ztera`.
        let error = Command::new(&program).arg0(own_name).args(words).exec();
        Err(error).with_context(|| format!("cannot start {}", program.display()))
    })
}
