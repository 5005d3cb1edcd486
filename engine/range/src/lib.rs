//! An address range whose pages live in memory, bounded, or in a [`Store`](ztera_store::Store).
//!
//! ```text
//!                    touch                        too much resident
//!  not mapped  ------------------>  resident  --------------------------> not mapped
//!              handler: contents,   |clean|dirty|   evictor: drop (clean), or protect,
//!              UFFDIO_COPY                          compress, store, drop (dirty)
//! ```
//!
//! * [`range`] puts the [`parts`] together, as its users see them, and starts their [`threads`].
//! * [`fault`] answers faults and reads ahead.
//! * [`reclaim`] makes room in memory and in the pool, and divides a budget between them.
//! * [`core`] is what a unit's pages and contents need to agree. All the parts above borrow it.
//! * [`residency`] knows what is resident and in which order it came. A [`doorbell`] calls a thread to work.
//! * [`os`] wraps the kernel's interfaces, and has the address range.
//!
//! Calls go down this list only. Beside it: [`census`] tells where units are; [`userfaultfd`] opens descriptors;
//! [`trace`] writes down which units the program touches, if somebody wants to know.
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
mod parts;
mod range;
mod reclaim;
mod residency;
mod stats;
mod threads;
mod trace;
pub mod userfaultfd;

pub use census::Census;
pub use error::{Error, Result};
pub use options::{FaultMode, Options};
pub use range::{Pinned, Range};
pub use reclaim::writeback::WriteBack;
pub use ztera_metrics::{Histogram, Stats, Tier};
pub use ztera_policy::admission::Cost;
pub use ztera_store::{BUFFER_LEN, Patch, SsdConfig};
