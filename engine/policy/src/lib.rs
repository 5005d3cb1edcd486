//! Every decision of the engine, over numbers: no I/O, no locks, no clock. The range, the store, the SSD tier and the block
//! device carry them out; the simulator replays traces through the same code.
//!
//! Most are functions of a snapshot alone. Some go by what was before, and are values that their owner keeps: the
//! [governor](governor::Governor), its [balance], [sharing] and [spare]; clocks ([eviction], [idleness]); readers that
//! [readahead] follows; the [health](offload::Health) of an accelerator. The same inputs in the same order always give the
//! same decisions.
//!
//! * [`division`]: how resident units and the pool share one budget, and [`governor`]: how that changes, by the [`balance`].
//! * [`reason`]: why memory is divided anew.
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
//! * [`cleaning`]: which segment of the SSD is written anew, and when, and [`reading`]: how much of it is read at once.
//! * [`wakefulness`]: whether a thread stays awake while it waits for the SSD.
//! * [`demotion`]: which unit of the pool goes to SSD, and when.
//! * [`idleness`]: what is idle in the pool, and what becomes of it.
//! * [`offload`]: whether the accelerator or the CPU compresses a unit.
//! * [`denser`]: whether objects are made smaller before any goes to SSD.
//! * [`densening`]: when a full device has objects made smaller.
//! * [`compaction`]: when objects are moved together within the pool.
//!
//! [`units`] and their [`pages`] are what they speak of.

#![forbid(unsafe_code)]

pub mod admission;
pub mod balance;
pub mod cleaning;
pub mod clustering;
pub mod compaction;
pub mod copies;
pub mod demotion;
pub mod densening;
pub mod denser;
pub mod division;
pub mod eviction;
pub mod governor;
pub mod heat;
pub mod idleness;
pub mod offload;
pub mod pages;
pub mod pinning;
pub mod prices;
pub mod promises;
pub mod readahead;
pub mod reading;
pub mod reason;
pub mod sharing;
pub mod spare;
pub mod stalls;
pub mod throttle;
pub mod units;
pub mod wakefulness;

/// The largest stamp that a slot has room for.
pub const MAX_STAMP: u16 = (1 << 14) - 1;
