//! An address range whose pages live in memory, bounded, or in a [`Store`](ztera_store::Store).
//!
//! ```text
//!                    touch                        too much resident
//!  not mapped  ------------------>  resident  --------------------------> not mapped
//!              handler: contents,   |clean|dirty|   evictor: drop (clean), or protect,
//!              UFFDIO_COPY                          compress, store, drop (dirty)
//! ```
//!
//! * [`os`] wraps the kernel's interfaces, and has the address range.
//! * [`core`] is what a unit's pages and contents need to agree.
//! * [`residency`] knows what is resident and in which order it came.
//! * [`fault`] answers faults and reads ahead.
//! * [`reclaim`] makes room in memory and in the pool, and divides a budget between them.
//! * [`threads`] has the range's threads. A [`doorbell`] calls one to work.
//! * [`census`] tells where units are; [`trace`] writes down which units the program touches, if somebody wants to know.
//! * [`range`] puts the parts together.
//!
//! [`ztera_policy`] makes the decisions; the modules here carry them out.
//!
//! Every change of a unit happens under its slot's lock, held until memory and slot agree again.

mod census;
mod core;
mod doorbell;
mod error;
mod fault;
mod options;
mod os;
mod range;
mod reclaim;
mod residency;
mod stats;
mod threads;
mod trace;

pub use census::Census;
pub use error::{Error, Result};
pub use options::{FaultMode, Options};
pub use range::Range;
pub use reclaim::demoter::WriteBack;
pub use stats::Stats;
pub use ztera_policy::admission::Cost;
pub use ztera_store::{BUFFER_LEN, SsdConfig};
