// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One running JVM.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::attach::{self, Answer};
use super::place::Place;
use crate::process::{exists, missing};

/// The way to one running JVM.
#[derive(Clone, Debug)]
pub struct Jvm {
    pub(super) place: Place,
    patience: Option<Duration>,
}

impl Jvm {
    /// To process `pid`. Fails if there is none.
    pub fn of(pid: u32) -> Result<Jvm> {
        if !exists(pid) {
            return Err(missing(pid));
        }
        Ok(Jvm { place: Place::of(pid)?, patience: None })
    }

    /// The same, but each answer must begin and go on within that time. Without it, it may take as long as it takes.
    pub fn within(self, patience: Duration) -> Jvm {
        Jvm { patience: Some(patience), ..self }
    }

    /// Its process id here, which may be another one in its container.
    pub fn pid(&self) -> u32 {
        self.place.pid
    }

    /// Whether the process still exists.
    pub fn is_alive(&self) -> bool {
        exists(self.place.pid)
    }

    /// The answer of the JVM to a diagnostic command with its arguments. An error that explains itself if it does not.
    pub fn ask(&self, request: &[&str]) -> Result<String> {
        let answer = attach::ask(&self.place, &request.join(" "), self.patience)?;
        understand(self.place.pid, answer)
    }

    /// The answer of `GC.h2_info json` about the second heap.
    pub fn h2_info(&self) -> Result<Value> {
        json(&self.ask(&["GC.h2_info", "json"])?)
    }
}

/// The JVM's text, or an explanation why there is none.
fn understand(pid: u32, answer: Answer) -> Result<String> {
    if answer.text.contains("Unknown diagnostic command") {
        bail!(
            "process {pid} is a JVM without ZTera: start it with `ztera java`, or with the java of the ZTera JDK"
        );
    }
    if answer.code != 0 {
        bail!("process {pid} refuses: {}", answer.text.trim());
    }
    Ok(answer.text)
}

fn json(answer: &str) -> Result<Value> {
    serde_json::from_str(answer.trim())
        .with_context(|| format!("the JVM's answer is not the expected JSON: {}", answer.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_explained() {
        let refusal = |text: &str| {
            let answer = Answer { code: 1, text: text.to_owned() };
            understand(7, answer).unwrap_err().to_string()
        };
        let unknown = "java.lang.IllegalArgumentException: Unknown diagnostic command\n";
        assert!(refusal(unknown).contains("a JVM without ZTera"));
        assert_eq!(refusal("strange\n"), "process 7 refuses: strange");
        assert!(json("strange").unwrap_err().to_string().contains("not the expected JSON: strange"));
    }

    #[test]
    fn a_process_that_is_not_there_is_named() {
        let error = Jvm::of(4_194_305).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("there is no process 4194305; `ztera top` lists JVMs"));
    }
}
