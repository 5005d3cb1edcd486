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
//! * [`device`] reads and writes any bytes of the device on the calling thread; [`extent`] cuts them into units. Its
//!   [`config`] says how large it is.
//! * [`accelerator`] is one that compresses, where there is one; [`offload`] gives it whole units.
//! * [`core`] is what requests and [`upkeep`] share. [`touches`] remembers when each unit was wanted last.
//! * [`upkeep`] makes room in threads that [`bell`] wakes, and does whatever an administrator asks for.
//! * [`room`] has writes wait for room on a full device.
//! * [`task`] is a request cut into pieces, and [`service`] has all CPUs work on them. [`loaders`] wait for the SSD;
//!   [`patience`] keeps a thread awake whose next work is about to come.
//! * [`nbd`], [`fuse`], [`ublk`] and [`control`] are how other processes reach it; [`socket`] is a Unix
//!   socket, and [`lock`] keeps two servers from one name.
//! * [`report`] counts, in the words of [`stats`].

mod accelerator;
mod bell;
mod budget;
mod config;
pub mod control;
mod core;
mod device;
mod error;
mod extent;
pub mod fuse;
mod loaders;
mod lock;
pub mod nbd;
mod offload;
mod patience;
mod report;
mod room;
mod service;
pub mod socket;
mod stats;
pub mod swap;
mod task;
mod touches;
pub mod ublk;
mod upkeep;

pub use accelerator::Offload;
pub use config::Config;
pub use device::{Device, Workspace};
pub use error::Error;
pub use extent::Extent;
pub use service::Service;
pub use stats::Stats;
pub use task::Request;
pub use touches::Age;
pub use upkeep::{Codecs, Denser, MOST_CODECS, Pages, Recompress, Recompressed, WriteBack};
pub use ztera_accel::{Backend, NoBackend, Options as OffloadOptions, Verify};
pub use ztera_store::UnitSize;
