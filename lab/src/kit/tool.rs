// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Tools of the distribution, run to their end.

use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The tool's standard output. Fails with its standard error, or with the package that has it if it is missing. Ctrl-C
/// in a terminal does not reach it: what it has set up by then, nobody would undo.
pub fn output(command: &mut Command, package: &str) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = match command.process_group(0).output() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("{name} is missing: install it with `apt-get install {package}`")
        }
        result => result.with_context(|| format!("cannot run {name}"))?,
    };
    if !output.status.success() {
        bail!("{name} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_gives_its_output_or_a_reason() {
        let words = |program: &str, words: &[&str]| output(Command::new(program).args(words), "a-package");
        assert_eq!(words("echo", &["words"]).unwrap(), "words\n");
        let error = words("sh", &["-c", "echo no >&2; exit 1"]).unwrap_err();
        assert_eq!(error.to_string(), "sh failed: no");
        let error = words("no-such-tool", &[]).unwrap_err();
        assert_eq!(error.to_string(), "no-such-tool is missing: install it with `apt-get install a-package`");
    }
}
