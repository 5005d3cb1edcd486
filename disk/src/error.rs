// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How a request can end badly.

/// Why a request was not carried out. Of a write, some units may have been written all the same, as with any disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Neither the memory limit nor the SSD leaves room. The old data are still there.
    #[error("the device has no room: its memory limit is reached")]
    NoSpace,
    /// The bytes are not all on the device.
    #[error("the device ends before that")]
    OutOfRange,
    /// The contents cannot be had any more. Nothing is shown in their place.
    #[error("the contents are lost")]
    Lost,
}

impl Error {
    /// The errno value of the same meaning, positive.
    pub fn errno(self) -> i32 {
        match self {
            Self::NoSpace => libc::ENOSPC,
            Self::OutOfRange => libc::EINVAL,
            Self::Lost => libc::EIO,
        }
    }
}
