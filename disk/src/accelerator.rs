// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! An accelerator, as a device is given it.

use std::io;
use std::sync::Arc;

use ztera_accel::{Accelerator, Backend};
use ztera_codec::{CodecKind, Settings};

/// An accelerator of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offload {
    /// The backend.
    pub backend: Backend,
    /// How it is used.
    pub options: ztera_accel::Options,
}

impl Offload {
    /// Opens it for a device with these codecs. Where its library or the device is missing, that is said in words, and
    /// the CPU does the work.
    pub(crate) fn open<'c>(
        &self,
        mut codecs: impl Iterator<Item = &'c Settings>,
    ) -> io::Result<Result<Arc<Accelerator>, String>> {
        if !codecs.any(|codec| codec.kind == CodecKind::Deflate) {
            let why = "an accelerator makes deflate: take it as codec, or as a denser one";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        match self.backend.open() {
            Ok(device) => Ok(Ok(Arc::new(Accelerator::start(device, self.options)?))),
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => Ok(Err(missing.to_string())),
            Err(error) => Err(error),
        }
    }
}
