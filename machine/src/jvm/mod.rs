// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Running JVMs, as `jcmd` sees them, without starting one.
//!
//! ```text
//!  place      a JVM's own process id and temporary folder, in its container
//!  attach     its socket, and one request over that     -> running: what it says
//!  perf_data  the counters that it shows in a file      -> pauses
//!  list       all JVMs, by those files                  -> find: by process id or name
//! ```

mod attach;
mod find;
mod list;
mod pauses;
mod perf_data;
mod place;
mod running;

pub use find::{find, one};
pub use list::{Listed, all, is_ztera};
pub use pauses::{Collector, pauses};
pub use running::Jvm;
