//! Every decision of the engine: pure functions over numbers, without I/O, locks or memory of their own. The range
//! carries them out under its locks; the simulator replays traces through the same functions.
//!
//! * [`division`]: how resident units and the pool share one budget, and [`governor`]: how that changes, by the [`balance`].
//! * [`sharing`]: how much of the budget is left to other processes.
//! * [`spare`]: how much memory the kernel can take by itself.
//! * [`stalls`]: whose stalls for want of memory the kernel tells of.
//! * [`promises`]: how much has to stay free for threads that are about to touch it.
//! * [`admission`]: how much more data there is room for.
//! * [`copies`]: which units are worth a compressed copy, by [`prices`].
//! * [`eviction`]: which resident unit leaves, and how, and [`heat`]: whose turn it is.
//! * [`pinning`]: how much may be pinned, and when that is in vain.
//! * [`readahead`]: which units are brought in before somebody asks for them.
//! * [`clustering`]: whether a fault brings in units that lie beside its own.
//! * [`throttle`]: for how long writers are held back that outrun the SSD.
//! * [`demotion`]: which unit of the pool goes to SSD, and when.
//! * [`idleness`]: what is idle in the pool, and what becomes of it.
//! * [`offload`]: whether the accelerator or the CPU compresses a unit.
//! * [`compaction`]: when objects are moved together within the pool.
//!
//! [`units`] are what they speak of.

#![forbid(unsafe_code)]

pub mod admission;
pub mod balance;
pub mod clustering;
pub mod compaction;
pub mod copies;
pub mod demotion;
pub mod division;
pub mod eviction;
pub mod governor;
pub mod heat;
pub mod idleness;
pub mod offload;
pub mod pinning;
pub mod prices;
pub mod promises;
pub mod readahead;
pub mod sharing;
pub mod spare;
pub mod stalls;
pub mod throttle;
pub mod units;

/// The largest stamp that a slot has room for.
pub const MAX_STAMP: u16 = (1 << 14) - 1;
