//! The SSD tier: where compressed objects go when the pool is too small for them.
//!
//! One file, unlinked as soon as it is made, or a block device, is cut into [segments] of 1 MiB. Objects are written
//! as [records](record), many at a time; a segment is given back to the file system when the last of its
//! records is freed, as a hole in the file. It holds memory, not data to recover: nothing is read from it
//! after the process has ended.
//!
//! ```text
//!  Batch: push, push, ... -> write (one direct write) -> a Place for each record
//!                                                          |
//!                        free -> segment empty? -> hole <--+--> read: checksum, then the bytes
//! ```
//!
//! Encryption is of each record by itself: what is on the medium, and nowhere else, is encrypted. A block device always
//! is, as it may keep what was written when the process has ended; it is also told to forget that.
//!
//! A segment of which little is left is [cleaned](Tier::sparsest): who uses the tier writes what is left
//! elsewhere.
//!
//! Assumed of the medium: a write that reports success is read back as written, or not; whatever else comes
//! back (old bytes, bytes of another place, zeros, what another process wrote) is found out by the checksum, which
//! covers what was written, by whom, for whom, where, and in which life of the segment. Nothing is assumed about
//! order or power failures.

mod awake;
mod batch;
mod buffer;
mod cipher;
mod config;
mod medium;
mod patience;
mod place;
mod quota;
mod reach;
mod read;
mod record;
mod segments;
mod signature;
mod stats;
mod tier;

pub use batch::Batch;
pub use buffer::{Buffer, ReadBuffer};
pub use config::Config;
pub use patience::Patience;
pub use place::Place;
pub use reach::Reach;
pub use read::{Cause, ReadError};
pub use segments::Purpose;
pub use tier::{Sparse, Tier, WriteError};
pub use ztera_metrics::Stats;
