//! The logic of a range on a [simulated kernel](kernel), under shuttle's control: faults, evictions,
//! submissions, discards and shutdown in many random interleavings.
//!
//! The modules that decide and do are the range's own sources. In place of its system calls and of the
//! threads that wait in them are [`uffd`], [`memory`] and [`machine`].

#![allow(missing_docs, dead_code, reason = "the range's sources, without all that uses them")]
#![allow(clippy::missing_safety_doc, reason = "as in the module whose place this takes")]

#[path = "../../../range/src/ahead.rs"]
mod ahead;
#[path = "../../../range/src/budget.rs"]
mod budget;
#[path = "../../../range/src/compact.rs"]
mod compact;
#[path = "../../../range/src/demote.rs"]
mod demote;
#[path = "../../../range/src/doorbell.rs"]
mod doorbell;
#[path = "../../../range/src/evict.rs"]
mod evict;
#[path = "../../../range/src/fault.rs"]
mod fault;
#[path = "../../../range/src/fullness.rs"]
mod fullness;
#[path = "../../../range/src/govern.rs"]
mod govern;
#[path = "../../../range/src/handover.rs"]
mod handover;
#[path = "../../../range/src/hold.rs"]
mod hold;
#[path = "../../../range/src/idle.rs"]
mod idle;
#[path = "../../../range/src/inner.rs"]
mod inner;
pub mod kernel;
#[path = "../../../range/src/lost.rs"]
mod lost;
pub mod machine;
mod memory;
mod psi;
#[path = "../../../range/src/queue.rs"]
mod queue;
#[path = "../../../range/src/readahead.rs"]
mod readahead;
#[path = "../../../range/src/readers.rs"]
mod readers;
#[path = "../../../range/src/residency.rs"]
mod residency;
#[path = "../../../range/src/sigbus.rs"]
mod sigbus;
#[path = "../../../range/src/spin.rs"]
mod spin;
#[path = "../../../range/src/stats.rs"]
mod stats;
#[path = "../../../range/src/trace.rs"]
mod trace;
mod uffd;
