// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The finding of the doctor on one subject.

use serde::Serialize;

/// How good a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it should be.
    Ok,
    /// Something works less well, or a tool that is not needed for the tier is missing.
    Note,
    /// The JVM starts, and does something else than its flags ask for.
    Warning,
    /// The tier cannot work.
    Missing,
    /// The JVM does not start.
    Error,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The subject.
    pub subject: &'static str,
    /// How good it is.
    pub status: Status,
    /// The state in which it was found.
    pub found: String,
    /// The consequence; may be empty.
    pub follows: String,
    /// How to enable what is missing.
    pub remedy: Option<String>,
}

impl Finding {
    /// Without a remedy.
    pub fn new(
        subject: &'static str,
        status: Status,
        found: impl Into<String>,
        follows: impl Into<String>,
    ) -> Self {
        Self { subject, status, found: found.into(), follows: follows.into(), remedy: None }
    }

    /// With one.
    pub fn remedy(self, remedy: impl Into<String>) -> Self {
        Self { remedy: Some(remedy.into()), ..self }
    }

    /// For people, in two or three lines.
    pub fn print(&self) {
        let mark = match self.status {
            Status::Ok => "ok",
            Status::Note => "note",
            Status::Warning => "WARNING",
            Status::Missing => "MISSING",
            Status::Error => "ERROR",
        };
        println!("{mark:<7} {:<22} {}", self.subject, self.found);
        if !self.follows.is_empty() {
            println!("        {:<22} {}", "", self.follows);
        }
        if let Some(remedy) = &self.remedy {
            println!("        {:<22} -> {remedy}", "");
        }
    }
}
