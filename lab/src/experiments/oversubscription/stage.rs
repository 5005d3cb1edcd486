// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The files that all points share, and the setting of each.

use std::fs;
use std::path::{self, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use tempfile::TempDir;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::view::{Jdk, built};

use super::files::Files;
use super::medium::Medium;
use super::plan::Size;
use super::point::{Outcome, Point};
use super::server::DoesNotFit;
use super::session::{self, Setup};
use crate::frame::context::Context;
use crate::kit::filesystem::folder_on_disk;
use crate::kit::shared_memory::{Limit, while_limited};

const APPLICATIONS: &str = "ztera-web-workloads.jar";
const API: &str = "ztera-api.jar";

/// The stage. Dropping it removes all of its files.
pub struct Stage {
    size: Size,
    files: Files,
    folder: TempDir,
}

impl Stage {
    /// On the SSD.
    pub fn set_up(context: &Context, size: Size) -> Result<Stage> {
        // The JVMs have another working directory.
        let (folder, _) = folder_on_disk(&path::absolute(&context.ssd)?)?;
        let view = Jdk::view(None)?;
        let jar = |name| built(name).with_context(|| format!("{name} is missing"));
        let jars: Vec<PathBuf> = [APPLICATIONS, API].into_iter().map(jar).collect::<Result<_>>()?;
        let files = Files::copy(&view, &jars, folder.path())?;
        Ok(Stage { size, files, folder })
    }

    /// Measures at a point.
    pub fn measure(&self, point: &Point) -> Result<Outcome> {
        let folder = tempfile::Builder::new().prefix("point-").tempdir_in(self.folder.path())?;
        let temporary = folder.path().join("tmp");
        fs::create_dir(&temporary)?;
        self.files.forget()?;
        let medium = Medium::create(point, &self.size, folder.path())?;
        let cgroup = Cgroup::create("oversubscription")?;
        let _swappiness = medium.limit(&cgroup, point, &self.size)?;
        let flags = medium.flags(point, &self.size);
        let command = || {
            let mut command = Command::new(self.files.home().join("bin/java"));
            command.current_dir(&temporary);
            command.args(&flags).arg(format!("-Djava.io.tmpdir={}", temporary.display()));
            command.arg("-cp").arg(self.class_path()).arg("org.ztera.lab.web.Main");
            command.args([point.app.name(), &(self.size.data >> 20).to_string()]);
            command
        };
        let setup = Setup { point, size: &self.size, cgroup: &cgroup, folder: folder.path() };
        let (served, zram_peak_bytes) = while_limited(
            &cgroup,
            Limit::new(self.size.limit),
            || medium.used(),
            || session::run(&setup, command),
        );
        let (served, ended) = match served {
            Ok(served) => (Some(served), None),
            Err(error) if error.is::<DoesNotFit>() => (None, Some(error.to_string())),
            Err(error) => return Err(error),
        };
        Ok(Outcome {
            point: *point,
            limit_bytes: self.size.limit,
            heap_bytes: self.size.heap_of(point),
            data_bytes: self.size.data,
            zram_peak_bytes,
            served,
            ended,
        })
    }

    fn class_path(&self) -> String {
        let jars = [APPLICATIONS, API].map(|name| self.files.jar(name).display().to_string());
        jars.join(":")
    }
}
