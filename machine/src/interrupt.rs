// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Ctrl-C and its kin: remembered in a flag, so that loops end and clean up after themselves.

use std::io;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Some signal asked this process to end.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; everything was cleaned up")]
pub struct Interrupted;

/// From now on SIGINT, SIGTERM and SIGHUP set the flag instead of ending the process. To be called by commands
/// that have something to clean up.
pub fn watch() -> io::Result<()> {
    let flag = FLAG.get_or_init(Arc::default);
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(flag))?;
    }
    Ok(())
}

/// Sets the flag as such a signal would. Returns whether [`watch`] was called; else nothing would look at it.
pub fn raise() -> bool {
    FLAG.get().is_some_and(|flag| {
        flag.store(true, Ordering::Relaxed);
        true
    })
}

/// Whether such a signal came.
pub fn came() -> bool {
    FLAG.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

/// An error once such a signal came.
pub fn check() -> Result<(), Interrupted> {
    if came() { Err(Interrupted) } else { Ok(()) }
}
