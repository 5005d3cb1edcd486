// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Where a JVM has the files by which others talk to it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::process::{file_of, unreadable};

/// A JVM's process id and temporary folder, which a container has of its own.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its id for this process.
    pub pid: u32,
    /// Its id for itself.
    pub inside: u32,
    /// The folder that it knows as `/tmp`.
    pub temporary: PathBuf,
}

impl Place {
    /// Of process `pid`.
    pub fn of(pid: u32) -> Result<Place> {
        let status = fs::read_to_string(file_of(pid, "status")).map_err(|e| unreadable(pid, "status", e))?;
        let inside =
            innermost(&status).context("this kernel does not tell ids of processes in containers")?;
        let own = file_of(pid, "root/tmp");
        // The folder of a process that hides itself cannot be read, but it is often this one's too.
        let temporary = if own.is_dir() { own } else { PathBuf::from("/tmp") };
        Ok(Place { pid, inside, temporary })
    }

    /// The socket at which the JVM listens, once it was asked to.
    pub fn socket(&self) -> PathBuf {
        self.temporary.join(format!(".java_pid{}", self.inside))
    }

    /// Files that tell a JVM which gets SIGQUIT to listen. It looks for them in this order.
    pub fn triggers(&self) -> [PathBuf; 2] {
        let name = format!(".attach_pid{}", self.inside);
        [file_of(self.pid, "cwd").join(&name), self.temporary.join(name)]
    }
}

/// The last id of the line `NSpid` of `/proc/PID/status`: that in the innermost container.
fn innermost(status: &str) -> Option<u32> {
    status.lines().find_map(|line| line.strip_prefix("NSpid:"))?.split_whitespace().last()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_has_ids_of_its_own() {
        assert_eq!(innermost("Name:\tjava\nNSpid:\t4711\t12\t1\n"), Some(1));
        assert_eq!(innermost("NSpid:\t4711\n"), Some(4711));
        assert_eq!(innermost("Name:\tjava\n"), None);
    }

    #[test]
    fn files_lie_where_the_jvm_sees_them() {
        let own = std::process::id();
        let place = Place::of(own).unwrap();
        assert_eq!(place.socket(), PathBuf::from(format!("/proc/{own}/root/tmp/.java_pid{}", place.inside)));
        assert!(place.triggers()[0].starts_with(format!("/proc/{own}/cwd")));
    }
}
