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
//! * [`fault`] answers one fault. [`handler`] has the threads that wait for them; or the [`sigbus`] serve themselves
//!   ([`lost`] is what cannot be served), until they want to do so no more ([`handover`]). [`readahead`] says what is
//!   wanted next, for each of the [`readers`]; handlers bring it in, or threads that wait for it ([`ahead`]).
//! * [`residency`] knows what is resident and in which order it came; [`evict`] makes room. The evictor waits at a [`doorbell`]; [`fullness`] says when
//!   it is no use. Writers that outrun the SSD are [held back](hold).
//! * [`demote`] moves units from the pool to SSD, [`idle`] sees to idle ones, [`compact`] has objects moved together
//!   within the pool.
//! * [`budget`] is what resident units and the pool share; [`govern`] changes the shares once per second, and [`psi`]
//!   asks the kernel whether memory is short.
//! * [`census`] tells where units are.
//! * [`trace`] writes down which units the program touches, if somebody wants to know.
//! * [`range`] puts the parts together.
//!
//! [`ztera_policy`] makes the decisions; the modules here carry them out.
//!
//! Every change of a unit happens under its slot's lock, held until memory and slot agree again.

mod ahead;
mod budget;
mod census;
mod compact;
mod demote;
mod doorbell;
mod error;
mod evict;
mod fault;
mod fullness;
mod govern;
mod handler;
mod handover;
mod hold;
mod idle;
mod inner;
mod lost;
mod memory;
mod options;
mod psi;
mod queue;
mod range;
mod readahead;
mod readers;
mod residency;
mod sigbus;
mod spin;
mod stats;
mod trace;
mod uffd;

pub use census::Census;
pub use demote::WriteBack;
pub use error::{Error, Result};
pub use options::{FaultMode, Options};
pub use range::Range;
pub use stats::Stats;
pub use ztera_policy::admission::Cost;
pub use ztera_store::{BUFFER_LEN, SsdConfig};
