//! An address range whose pages live in memory, bounded, or in a [`Store`](ztera_store::Store).
//!
//! ```text
//!                    touch                        too much resident
//!  not mapped  ------------------>  resident  --------------------------> not mapped
//!              handler: contents,   |clean|dirty|   evictor: drop (clean), or protect,
//!              UFFDIO_COPY                          compress, store, drop (dirty)
//! ```
//!
//! * [`uffd`] wraps the kernel's interface, [`memory`] the address range.
//! * [`fault`] answers one fault. [`handler`] has the threads that wait for them; or the [`callers`] serve themselves
//!   ([`lost`] is what cannot be served), until they want to do so no more ([`handover`]). [`readahead`] says what is
//!   wanted next, for each of the [`readers`]; handlers bring it in, or threads that wait for it ([`ahead`]).
//! * [`residency`] knows what is resident and in which order it came; [`policy`] decides who stays;
//!   [`evict`] carries it out. The evictor waits at a [`doorbell`]; [`fullness`] says when it is no use. Writers that outrun
//!   the SSD are [held back](hold).
//! * [`demotion`] decides what goes on from the pool to SSD; [`demote`] carries it out.
//! * [`idleness`] decides what is idle in the pool and what becomes of it; [`idle`] carries it out.
//! * [`compaction`] decides when objects are moved together within the pool; [`compact`] has it done.
//! * [`governor`] decides how resident units and the pool share one [`budget`]; [`govern`] carries it out, and
//!   [`psi`] asks the kernel whether memory is short.
//! * [`census`] tells where units are.
//! * [`trace`] writes down which units the program touches, if somebody wants to know.
//! * [`range`] puts the parts together.
//!
//! Every change of a unit happens under its slot's lock, held until memory and slot agree again.

mod ahead;
mod budget;
mod callers;
mod census;
mod compact;
mod compaction;
mod demote;
mod demotion;
mod doorbell;
mod error;
mod evict;
mod fault;
mod fullness;
mod govern;
mod governor;
mod handler;
mod handover;
mod hold;
mod idle;
mod idleness;
mod inner;
mod linger;
mod lost;
mod memory;
mod options;
mod policy;
mod psi;
mod queue;
mod range;
mod readahead;
mod readers;
mod residency;
mod stats;
mod trace;
mod uffd;

pub use census::Census;
pub use demote::WriteBack;
pub use error::{Error, Result};
pub use options::{FaultMode, Options};
pub use range::Range;
pub use stats::Stats;
pub use ztera_store::{BUFFER_LEN, SsdConfig};
