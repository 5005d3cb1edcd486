// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The Java programs that are measured: what runs them, and what they read.

use std::path::PathBuf;

use anyhow::Result;
use ztera_machine::view::{Jdk, given_or_built};

/// Where they are. A path that is not given is what `make` built.
#[derive(clap::Args)]
pub struct Program {
    /// The source tree that the data is made of [default: build/jdk-source]
    #[arg(long, value_name = "DIR")]
    source: Option<PathBuf>,
    /// The ZTera JDK [default: the one that `make` built, or $ZTERA_HOME/jdk]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// The jar with the Java side [default: build/ztera-demo.jar]
    #[arg(long, value_name = "FILE")]
    jar: Option<PathBuf>,
}

impl Program {
    /// The JDK view.
    pub fn jdk(&self) -> Result<Jdk> {
        Jdk::view(self.jdk.as_deref())
    }

    /// Its launcher.
    pub fn java(&self) -> Result<PathBuf> {
        Ok(self.jdk()?.tool("java"))
    }

    /// The jar.
    pub fn jar(&self) -> Result<PathBuf> {
        given_or_built(self.jar.as_deref(), "ztera-demo.jar", "run `make`, or give --jar")
    }

    /// The source tree.
    pub fn source(&self) -> Result<PathBuf> {
        given_or_built(self.source.as_deref(), "jdk-source", "run `make`, or give --source")
    }
}
