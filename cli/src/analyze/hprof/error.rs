// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Why a dump cannot be read, and what to do about it.

use std::io;

/// Offsets are bytes from the beginning of the file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It begins otherwise.
    #[error("it is {0}")]
    Foreign(&'static str),
    /// It ends too early.
    #[error(
        "the dump ends too early, at byte {0}: it was not written to its end, or not copied to its end; take a new \
         one, where there is room for it"
    )]
    Truncated(u64),
    /// It contradicts itself, or the format.
    #[error("the dump is damaged at byte {at}, or not written by HotSpot: {what}; take a new one")]
    Damaged {
        /// Where that was seen.
        at: u64,
        /// The observed value.
        what: String,
    },
    /// Its objects lie too far apart for the references that were asked for.
    #[error(
        "references of 4 bytes reach 32 GiB, and the objects of this dump lie in {0} GiB: give --references 8"
    )]
    TooFar(u64),
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// A file that is not HPROF at all.
pub const NO_DUMP: Error = Error::Foreign("no heap dump: `jcmd PID GC.heap_dump FILE` writes one");

/// A dump compressed by gzip.
pub const COMPRESSED: Error = Error::Foreign("compressed by gzip: run gunzip on it first");

/// The format of Android.
pub const ANDROID: Error =
    Error::Foreign("a heap dump of Android: convert it with hprof-conv of the Android SDK first");
