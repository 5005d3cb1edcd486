//! The store: for each unit of a range, where its contents are and how to get them.
//!
//! The story of a unit:
//!
//! ```text
//!  submit: staging buffer -> Staged --worker: pack--> Same | Packed | Raw (pool) --mover--> OnSsd
//!                               \  \--- what does not compress, or does not fit -------------/ |
//!                                \------ contents -------+-------------------------------------+--> whoever faults
//! ```
//!
//! * [`slot`] is the word that says it all, and its lock; [`table`] holds one per unit.
//! * [`staging`] owns the buffers that producers fill and the queue of those handed over.
//! * [`submission`] makes what a producer hands over the contents of units.
//! * [`worker`] compresses them, [`job`] is what it does.
//! * [`writeback`] takes contents on to SSD; [`recompress`] makes objects smaller that nobody wants now, and
//!   [`split`] makes those anew of which one page at a time is wanted.
//! * [`pack`] compresses one unit to an object of some [`form`]; [`load`] brings contents out, as [`reading`] says.
//! * [`store`] keeps contents, and is the one place where a unit's backing changes, and
//!   so the one place where [`stats`] are counted.
//! * [`patches`] are corrections of contents that nobody has to read for them.
//! * [`offload`] has a device compress in place of a thread, where the owner has one.
//! * [`overwrite`] changes contents in a pool that is full.
//! * [`compact`] moves objects within the pool, in a [`pass`] over all slots, which changes where they are and nothing else.
//!
//! The store knows nothing of mapped memory; what to do with a unit that no longer fits into the pool
//! is asked of its [`Host`].

mod compact;
mod counter;
mod form;
mod job;
mod load;
mod offload;
mod overwrite;
mod pack;
mod pass;
mod patches;
mod reading;
mod recompress;
mod scratch;
pub mod slot;
mod split;
mod staging;
mod stats;
mod store;
mod submission;
mod table;
mod worker;
mod writeback;

pub use counter::Counter;
pub use form::{Density, Use};
pub use job::KEPT_AT_ONCE;
pub use load::LoadError;
pub use patches::Patch;
pub use reading::{Reading, come_together, reach_along};
pub use recompress::{Recompressed, Recompressor};
pub use scratch::Scratch;
pub use slot::{Backing, Glance, Slot};
pub use split::Splitting;
pub use staging::{BUFFER_LEN, StagingError};
pub use store::{Config, Full, Host, Plan, Store};
pub use submission::{Submission, Taken};
pub use table::Table;
pub use worker::Workers;
pub use writeback::Mover;
pub use ztera_codec::Offload;
pub use ztera_metrics::Stats;
pub use ztera_policy::pages::Pages;
pub use ztera_policy::units::{ByteOffset, UnitIndex, UnitSize, Units};
pub use ztera_ssd::{Config as SsdConfig, Patience, Reach};
