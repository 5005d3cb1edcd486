// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A compressed block device in user space: what the kernel's zram is, over the engine's store.
//!
//! The story of a request:
//!
//! ```text
//!  nbd (Unix socket) --\                       /-- pieces, first in first out --\
//!                       +--> service: Request +                                   +--> device --> store: pool, SSD
//!  fuse (one file) -----+                      \-- the caller helps, or goes on -/
//!  ublk (the kernel) ---/
//!  control (Unix socket): stat, compact, idle, recompress, writeback ------------------^
//! ```
//!
//! * [`device`] reads and writes any bytes of the device on the calling thread; [`extent`] cuts them into units.
//! * [`offload`] has whole units compressed by an accelerator, where there is one.
//! * [`task`] is a request cut into pieces, and [`service`] has all CPUs work on them. [`loaders`] wait for the SSD;
//!   [`patience`] keeps a thread awake whose next work is about to come.
//! * [`nbd`], [`fuse`], [`ublk`] and [`control`] are how other processes reach it; [`socket`] is a Unix
//!   socket, and [`lock`] keeps two servers from one name.
//! * [`room`] has writes wait for room on a full device.
//! * [`touches`] remembers when each unit was wanted last. [`demote`] makes room in the pool by the SSD, and
//!   [`recompress`] by denser codecs for idle units, in threads that [`bell`] wakes. [`densen`] does so for others
//!   before a full device without an SSD refuses a write.
//! * [`maintain`], [`recompress`] and [`write_back`] do what an administrator asks for.

mod bell;
mod budget;
pub mod control;
mod demote;
mod densen;
mod device;
mod error;
mod extent;
pub mod fuse;
mod loaders;
mod lock;
mod maintain;
pub mod nbd;
mod offload;
mod patience;
mod recompress;
mod room;
mod service;
pub mod socket;
mod stats;
pub mod swap;
mod task;
mod touches;
pub mod ublk;
mod write_back;

pub use device::{Config, Device, Workspace};
pub use error::Error;
pub use extent::Extent;
pub use maintain::Age;
pub use offload::Offload;
pub use recompress::{Codecs, Denser, MOST_CODECS, Recompress, Recompressed};
pub use service::Service;
pub use stats::Stats;
pub use task::Request;
pub use write_back::{Pages, WriteBack};
pub use ztera_accel::{Backend, NoBackend, Options as OffloadOptions, Verify};
pub use ztera_store::UnitSize;
