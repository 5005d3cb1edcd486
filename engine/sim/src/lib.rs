//! Replays what a program did to the units of a range through policies that decide which unit is where, and counts.
//!
//! ```text
//!  recorded [trace] or a [synthetic] one  --->  [replay]  --->  ours   the engine's own decisions
//!                                                               lru    least recently used, in both tiers
//!                                                               arc, s3fifo: the same with these rules for memory
//!                                                               zram   the kernel's rules
//!                                         --->  bound           what no policy can do better, knowing the future
//! ```
//!
//! Time is the order of the steps: evictor, demoter and disk take none, and nobody reads ahead. So it tells which
//! decisions are good, not how fast they are carried out. A unit has one compressed size for the whole replay, the
//! pool wastes nothing, idle units are not recompressed, and the SSD has room for all.
//!
//! [`ours`] decides by the range's own functions, those of [`ztera_policy`].

pub mod bound;
pub mod lru;
pub mod ours;
pub mod replay;
pub mod synthetic;
pub mod trace;
pub mod zram;

mod arc;
mod looks;
mod recency;
mod resident;
mod room;
mod s3fifo;

pub use replay::{Disk, Limits, Policy, Tally, Tier, replay};
pub use trace::{Step, Trace};
