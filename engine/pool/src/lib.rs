//! Memory for compressed objects.
//!
//! Objects of similar size share *chunks*: a chunk is 4 to 16 units of memory cut into equal slots, and
//! belongs to one [size class](classes) and one [shard]. The [ledger] decides who may
//! open another chunk, so that the pool never exceeds its limit and never breaks a promise
//! ([`Pool::reserve`]). A chunk whose last object goes is given back to the system at once; sparse ones can be emptied
//! for that ([evacuation]), and an object that had to take [too large a slot](misfits) gets another. Memory
//! counts from when it is first touched: of a new chunk only what has objects.
//!
//! ```text
//!  store(bytes) -> class -> own shard: chunk with a free slot? -> copy outside the lock -> Handle
//!                             | no
//!                             v
//!                  another shard's chunk -> new chunk (ledger) -> source, larger class -> full
//! ```
//!
//! Bookkeeping costs 20 bytes per chunk (16 KiB to 1 MiB), and 2 bytes inside each *free* slot.

mod chunk;
mod classes;
mod evacuation;
mod group;
mod handle;
mod ledger;
mod marks;
mod misfits;
mod pool;
mod region;
mod shard;
mod system;

pub use handle::Handle;
pub use ledger::{Grant, Reservation};
pub use pool::{Config, Pool, Usage};
