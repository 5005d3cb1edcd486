// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The kinds of files that can be pinned.

use clap::ValueEnum;
use serde::Serialize;
use ztera_machine::process::files::FileKind;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// The JVM itself
    Libjvm,
    /// Archives of classes (CDS, AOT)
    Cds,
    /// Jars that the process maps or has open, and the JDK's modules
    Jars,
    /// The program and all other libraries
    Libraries,
}

impl What {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            What::Libjvm => "libjvm",
            What::Cds => "cds",
            What::Jars => "jars",
            What::Libraries => "libraries",
        }
    }

    /// That of a file, if such files can be pinned.
    pub fn of(kind: FileKind) -> Option<What> {
        match kind {
            FileKind::Libjvm => Some(What::Libjvm),
            FileKind::Cds => Some(What::Cds),
            FileKind::Jars => Some(What::Jars),
            FileKind::Library => Some(What::Libraries),
            FileKind::Other => None,
        }
    }
}
